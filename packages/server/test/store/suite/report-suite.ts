import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import { NO_TERMS } from '../../../src/domain/terms.ts';
import { startOfDayMs, usageDayOf } from '../../../src/domain/usage.ts';
import { OPERATORS, StoreUnavailableError } from '../../../src/store/reading.ts';
import type { Store } from '../../../src/store/store.ts';
import type { ListedResellerRow, ResellerQuery } from '../../../src/store/tables/accounts/resellers.ts';
import type { NameSearch, SortedAccount, SubUserQuery } from '../../../src/store/tables/accounts/sub-users.ts';
import { createReseller, createSubUser, giveBalance, NOON_MS, reading } from '../../support/commands.ts';
import { tokenUse } from '../../support/records.ts';
import { allRows, type Engine, keepAll, record, runAll } from './engine.ts';

const ALL: NameSearch = { text: '', match: 'beginning' };
const TODAY = usageDayOf(NOON_MS);
/** Reads of one reseller that wait, many more than are done in one turn. */
const LONG_LINE = 100;
const MOST_TRIES = 10;
/** Of one reseller, 2,048 reads of a kind may wait, and 8 reports. */
const MORE_THAN_MAY_WAIT = 2_100;
const MORE_REPORTS_THAN_MAY_WAIT = 30;
const ORDERS = ['name', 'balance', 'created', 'bandwidth'] as const;
/** The days that sort by bandwidth. */
const USED = { firstDay: TODAY - 29, lastDay: TODAY };
const isLong = process.env.BURSAR_TEST_FAULTS === 'long';

type Read = () => Promise<unknown>;

/** Tests lists of sub-users and resellers, and sums of their bandwidth. */
export function reportSuite(engine: Engine): void {
	test('pages of sub-users lead forward and back in every order and search', async (t) => {
		const { store } = await engine.open(t);
		const random = randomFrom(printedSeed(t));
		const accounts = await manySubUsers(store, random);
		const searches: NameSearch[] = [
			ALL,
			{ text: 'al', match: 'beginning' },
			{ text: '0', match: 'anywhere' },
			{ text: 'l_', match: 'anywhere' },
		];
		for (const by of ORDERS) {
			for (const search of searches) {
				const expected = accounts
					.filter(({ username }) => isFound(username, search))
					.toSorted(inOrder(by))
					.map(
						({ usedBytes, ...account }): SortedAccount => (by === 'bandwidth' ? { ...account, usedBytes } : account),
					);
				assert.ok(expected.length > 5);
				assert.equal(await store.countSubUsers('acme', search), expected.length);
				const query = { reseller: 'acme', search, by, used: USED, limit: 7 };
				const forward = await allPages(store, { ...query, descends: false });
				assert.deepEqual(forward, expected, `${by} ${search.text}`);
				const back = await allPages(store, { ...query, descends: true });
				assert.deepEqual(back, expected.toReversed(), `${by} ${search.text} back`);
				for (const [before, row] of [...expected.entries()].filter(([index]) => index % 9 === 0)) {
					const after = { username: row.username, value: sortedValue(row, by) };
					assert.equal(await store.countSubUsersBefore({ ...query, descends: false, after }), before);
					assert.equal(
						await store.countSubUsersBefore({ ...query, descends: true, after }),
						expected.length - 1 - before,
					);
				}
			}
		}
	});

	test('a search takes `_` and `%` for themselves, and a text that no name can have finds nothing', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [
			createReseller('acme', 1000),
			...['al_ice', 'alxice', 'al.ice', 'zoe_1'].map((name) => createSubUser('acme', name)),
		]);
		const found = async (text: string, match: NameSearch['match']) => {
			const search = { text, match };
			const rows = await store.listSubUsersBy({ reseller: 'acme', search, by: 'created', descends: false, limit: 10 });
			assert.equal(await store.countSubUsers('acme', search), rows.length);
			return rows.map(({ username }) => username);
		};
		assert.deepEqual(await found('al_', 'beginning'), ['al_ice']);
		assert.deepEqual(await found('l_i', 'anywhere'), ['al_ice']);
		assert.deepEqual(await found('_', 'anywhere'), ['al_ice', 'zoe_1']);
		assert.deepEqual(await found('acme', 'beginning'), []);
		for (const text of ['%', 'al%', 'a!_', '\0', "'", 'AL', 'é', '~', '\ud800']) {
			assert.deepEqual(await found(text, 'anywhere'), [], text);
			assert.deepEqual(await found(text, 'beginning'), [], text);
			assert.deepEqual(await store.listResellersBy({ search: text, by: 'created', descends: false, limit: 5 }), []);
		}
	});

	test('nothing of another reseller is in any list, search, count or sum', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [
			...['acme', 'acme2', 'zeta'].map((name) => createReseller(name, 1000)),
			createSubUser('acme', 'shared.a'),
			createSubUser('acme2', 'shared.b'),
			createSubUser('zeta', 'shared.c'),
			giveBalance('acme2', 'shared.b', 7),
		]);
		await record(
			store,
			['shared.a', 'shared.b', 'shared.c', 'acme2'].map((username) => reading(0, 5, { counter: username, username })),
		);
		const span = { reseller: 'acme', firstDay: TODAY - 1, lastDay: TODAY };
		const usernames = ['shared.a', 'shared.b', 'shared.c', 'acme2', 'nobody'];
		assert.deepEqual([...(await store.sumUsage({ ...span, usernames })).keys()], ['shared.a']);
		assert.deepEqual(
			(await store.listSubUsersWithUsage({ ...span, after: '', limit: 10 })).map(({ username }) => username),
			['shared.a'],
		);
		assert.deepEqual(
			(await store.listResellerUsageDays('acme', TODAY, TODAY)).map(({ bytesDown }) => bytesDown),
			[5],
		);
		const now = { unit: 'day', first: TODAY - 9, last: TODAY, owner: 'acme', reseller: 'acme', limit: 10 } as const;
		const hours = { ...now, unit: 'hour', first: 24 * (TODAY - 1), last: 24 * (TODAY + 1) } as const;
		for (const query of [now, hours]) {
			for (const by of ['sub_user', 'edge'] as const) {
				const parts = await store.listBandwidthParts({ ...query, by });
				assert.deepEqual(
					parts.map(({ name, bytesDown }) => [name, bytesDown]),
					[[by === 'edge' ? 'eu-1' : 'shared.a', 5]],
				);
			}
			assert.deepEqual(await store.listBandwidth({ ...query, username: 'shared.b' }), []);
		}
		for (const by of ORDERS) {
			for (const match of ['beginning', 'anywhere'] as const) {
				const search = { text: 'shared', match };
				const rows = await store.listSubUsersBy({
					reseller: 'acme',
					search,
					by,
					used: USED,
					descends: true,
					limit: 10,
				});
				assert.deepEqual(
					rows.map(({ username }) => username),
					['shared.a'],
				);
				assert.equal(await store.countSubUsers('acme', search), 1);
			}
		}
		const { rows } = await store.listMovements({ reseller: 'acme', before: 1_000_000, username: 'shared.b', limit: 9 });
		assert.deepEqual(rows, []);
	});

	test('bandwidth is summed over days, without the reseller itself', async (t) => {
		const { store } = await engine.open(t);
		const names = Array.from({ length: 130 }, (_, index) => `user${String(index).padStart(3, '0')}`);
		await runAll(store, [createReseller('acme', 10_000), ...names.map((name) => createSubUser('acme', name))]);
		await record(store, [
			...names.slice(0, 120).flatMap((name, index) => [report(name, 0, index), report(name, 1, 2 * index)]),
			report('acme', 0, 1_000_000),
			report('user000', 40, 1_000_000),
		]);
		const span = { reseller: 'acme', firstDay: TODAY - 29, lastDay: TODAY };
		const sums = await store.sumUsage({ ...span, usernames: names });
		assert.deepEqual(sums.get('user119'), { bytesUp: 2, bytesDown: 3 * 119 });
		assert.deepEqual(sums.get('user000'), { bytesUp: 2, bytesDown: 0 });
		assert.equal(sums.size, 120);
		const made = { createdAtMs: NOON_MS, terms: NO_TERMS };
		const rows = await store.listSubUsersWithUsage({ ...span, after: 'user118', limit: 3 });
		assert.deepEqual(rows, [
			{ username: 'user119', balanceCents: 0, ...made, bytesUp: 2, bytesDown: 357 },
			{ username: 'user120', balanceCents: 0, ...made, bytesUp: 0, bytesDown: 0 },
			{ username: 'user121', balanceCents: 0, ...made, bytesUp: 0, bytesDown: 0 },
		]);
	});

	test('pages of resellers lead forward and back in every order and search, and hold no sub-user', async (t) => {
		const { store } = await engine.open(t);
		const random = randomFrom(printedSeed(t));
		const names = Array.from({ length: 23 }, (_, index) => `${['shop', 'acme'][random.below(2)]}${index}`);
		for (const [index, name] of names.entries()) {
			// Few values, so that names decide between equal ones.
			await runAll(
				store,
				[createReseller(name, 100 + random.below(4)), createSubUser(name, `${name}.sub`)],
				NOON_MS + random.below(3),
			);
			if (index % 3 === 0) await keepAll(store, [tokenUse(`first token of ${name}`, NOON_MS + 10 + random.below(3))]);
		}
		for (const search of ['', 'shop', 'shop1']) {
			const all = await store.listResellersBy({ search, by: 'name', descends: false, limit: 100 });
			assert.deepEqual(
				all.map(({ username }) => username),
				names.filter((name) => name.startsWith(search)).toSorted(),
			);
			for (const [by, sortedValueOf] of Object.entries(VALUES_OF_RESELLER) as [ResellerQuery['by'], ValueOf][]) {
				// The rows are in the order of names, and this keeps it between equal ones.
				const expected = all.toSorted((a, b) => sortedValueOf(a) - sortedValueOf(b));
				const used = { firstDay: 0, lastDay: 1 };
				const rowsOf = async (descends: boolean) =>
					(await allResellers(store, { search, by, used, descends, limit: 4 })).map(({ figure: _, ...row }) => row);
				assert.deepEqual(await rowsOf(false), expected, `${by} ${search}`);
				assert.deepEqual(await rowsOf(true), expected.toReversed(), `${by} ${search} back`);
			}
		}
		const page = (search: string, username: string) =>
			store.listResellersBy({ search, by: 'name', descends: true, after: { username, value: 0 }, limit: 4 });
		assert.equal((await page('s', 'zzz')).length, Math.min(4, names.filter((name) => name.startsWith('s')).length));
		await runAll(store, [createReseller('zeta', 1000), createSubUser('zeta', 'zeta.sub')]);
		await keepAll(store, [tokenUse('first token of zeta', NOON_MS + 7)]);
		const made = { username: 'zeta', balanceCents: 990, createdAtMs: NOON_MS, lastUsedAtMs: NOON_MS + 7 };
		const terms = { suspendedAtMs: null, note: '', isSignInAllowed: 0, microUsdPerGb: null };
		assert.deepEqual(await page('z', 'zzz'), [{ ...made, ...terms, debtCents: 0, debtLineCents: 500 }]);
	});

	test('a flood of reports of one reseller is refused in part, and those of another one are read', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 1000), createReseller('other', 1000), createSubUser('other', 'olaf')]);
		const ask = (reseller: string) => store.countSubUsers(reseller, ALL);
		const flood = Array.from({ length: 300 }, () => ask('acme').catch((cause: unknown) => cause));
		const others = Array.from({ length: 8 }, () => ask('other'));
		assert.deepEqual(await Promise.all(others), Array(8).fill(1));
		const refused = (await Promise.all(flood)).filter((answer) => answer !== 0);
		assert.ok(refused.length > 250 && refused.every((answer) => answer instanceof StoreUnavailableError));
		assert.equal(await ask('acme'), 0);
	});

	test('a flood of reads of one reseller does not delay those of operators about it', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 1000)]);
		const page = { reseller: 'acme', before: Number.MAX_SAFE_INTEGER, limit: 5 };
		const names = { reseller: 'acme', search: ALL, by: 'name', descends: false, limit: 5 } as const;
		// Each the same read, first for the reseller and then for operators.
		const single: readonly (readonly [Read, Read])[] = [
			[() => store.listMovements(page), () => store.listMovements({ ...page, owner: OPERATORS })],
			[() => store.listTokens('acme'), () => store.listTokens('acme', OPERATORS)],
			[() => store.findLowBalance('acme'), () => store.listPeopleOf('acme')],
			[() => store.findOwnTerms('acme'), () => store.findOwnTerms('acme', OPERATORS)],
			[() => store.listSubUsersBy(names), () => store.listSubUsersBy({ ...names, owner: OPERATORS })],
			[() => store.listResellerUsageDays('acme', 0, 1), () => store.listResellerUsageDays('acme', 0, 1, OPERATORS)],
		];
		const unavailable = (cause: unknown) => {
			assert.ok(cause instanceof StoreUnavailableError, String(cause));
			return StoreUnavailableError;
		};
		/** Whether operators were answered, also before half of the flood, and how many reads of it were refused. */
		async function flood([ofReseller, ofOperators]: readonly [Read, Read, number?], count: number) {
			const expected = await ofOperators();
			let answered = 0;
			const reads = Array.from({ length: count }, () => ofReseller().then(() => answered++, unavailable));
			const found = await ofOperators().catch(unavailable);
			const isAnswered = found !== StoreUnavailableError;
			const isEarly = isAnswered && answered <= count / 2;
			if (isAnswered) assert.deepEqual(found, expected);
			return {
				isAnswered,
				isEarly,
				refused: (await Promise.all(reads)).filter((each) => each === StoreUnavailableError).length,
			};
		}
		for (const reads of single) {
			// By chance, a connection or the machine may be slow.
			for (let tries = 1; !(await flood(reads, LONG_LINE)).isEarly; tries++) {
				assert.ok(tries < MOST_TRIES, String(reads[1]));
			}
		}
		// Of full lines, the rest is refused, but no read of operators. To fill those above takes long.
		const inFullLines: readonly (readonly [Read, Read, moreThanMayWait: number])[] = [
			[
				() => store.listMovements({ ...page, kind: 'give' }),
				() => store.listMovements({ ...page, kind: 'give', owner: OPERATORS }),
				MORE_REPORTS_THAN_MAY_WAIT,
			],
			[() => store.findAccount('acme', 'acme'), () => store.findAccount('acme', 'acme', OPERATORS), MORE_THAN_MAY_WAIT],
			...(isLong ? single.map((reads) => [...reads, MORE_THAN_MAY_WAIT] as const) : []),
		];
		for (const reads of inFullLines) {
			for (let tries = 1; ; tries++) {
				const { isAnswered, refused } = await flood(reads, reads[2]);
				if (isAnswered && refused > 0) break;
				assert.ok(tries < MOST_TRIES, String(reads[1]));
			}
		}
	});

	test('the ledger is verified in steps while money moves, and commands do not wait for it', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 1_000_000), createSubUser('acme', 'alice')]);
		for (let batch = 0; batch < 4; batch++) {
			await runAll(
				store,
				Array.from({ length: 1000 }, () => giveBalance('acme', 'alice', 1)),
			);
		}
		const progress: (readonly [number, number])[] = [];
		let isVerifying = true;
		const verifying = store
			.verifyLedger((...at) => progress.push(at))
			.finally(() => {
				isVerifying = false;
			});
		let written = 0;
		while (isVerifying) {
			await runAll(store, [giveBalance('acme', 'alice', 1)]);
			written++;
		}
		const { transfers, problems } = await verifying;
		assert.deepEqual(problems, []);
		assert.ok(transfers >= 4002 && transfers <= 4002 + written);
		const steps = progress.at(-1)?.[1] ?? 0;
		assert.deepEqual(
			progress,
			Array.from({ length: steps + 1 }, (_, done) => [done, steps]),
		);
		assert.ok(steps > 5);
	});
}

function report(username: string, daysAgo: number, bytesDown: number) {
	const atMs = startOfDayMs(TODAY - daysAgo);
	return { source: 'test', id: `${username} ${daysAgo}`, username, atMs, bytesUp: 1, bytesDown };
}

/** Sub-users with few different balances, times and bytes, so that many are equal. */
async function manySubUsers(store: Store, random: Random): Promise<readonly Required<SortedAccount>[]> {
	await runAll(store, [createReseller('acme', 100_000), createReseller('alpha', 100_000)]);
	await runAll(store, [createSubUser('alpha', 'al_0.other')]);
	const accounts = Array.from({ length: 60 }, (_, index): Required<SortedAccount> => {
		const username = `${index % 2 ? 'al' : 'bo'}${index % 4 < 2 ? '_' : '.'}${index}`;
		const usedBytes = 2 * random.below(3);
		const createdAtMs = NOON_MS + 1000 * random.below(3);
		return { username, balanceCents: random.below(3), createdAtMs, usedBytes, note: null };
	});
	for (const [createdAtMs, created] of Map.groupBy(accounts, (account) => account.createdAtMs)) {
		await runAll(
			store,
			created.flatMap(({ username, balanceCents }) => [
				createSubUser('acme', username),
				...(balanceCents > 0 ? [giveBalance('acme', username, balanceCents)] : []),
			]),
			createdAtMs,
		);
	}
	await record(
		store,
		accounts.flatMap(({ username, usedBytes }) => [
			...(usedBytes > 0 ? [report(username, 29, usedBytes - 1)] : []),
			report(username, 30, 1000),
		]),
	);
	return accounts;
}

function isFound(username: string, { text, match }: NameSearch): boolean {
	return match === 'beginning' ? username.startsWith(text) : username.includes(text);
}

function sortedValue(account: SortedAccount, by: SubUserQuery['by']): number {
	if (by === 'bandwidth') return account.usedBytes ?? 0;
	return by === 'balance' ? account.balanceCents : by === 'created' ? account.createdAtMs : 0;
}

type ValueOf = (row: ListedResellerRow) => number;

const VALUES_OF_RESELLER: Readonly<Record<ResellerQuery['by'], ValueOf>> = {
	name: () => 0,
	balance: ({ balanceCents }) => balanceCents,
	last_used: ({ lastUsedAtMs }) => lastUsedAtMs ?? 0,
	created: ({ createdAtMs }) => createdAtMs,
	bandwidth: ({ figure = 0 }) => figure,
	refused: ({ figure = 0 }) => figure,
};

function allResellers(store: Store, query: ResellerQuery): Promise<readonly ListedResellerRow[]> {
	return allRows<ListedResellerRow>(query.limit, (last) => {
		const after = last && { username: last.username, value: VALUES_OF_RESELLER[query.by](last) };
		return store.listResellersBy({ ...query, after });
	});
}

function inOrder(by: SubUserQuery['by']) {
	return (a: SortedAccount, b: SortedAccount) =>
		sortedValue(a, by) - sortedValue(b, by) || (a.username < b.username ? -1 : 1);
}

function allPages(store: Store, query: SubUserQuery): Promise<readonly SortedAccount[]> {
	return allRows<SortedAccount>(query.limit, (last) => {
		const after = last && { username: last.username, value: sortedValue(last, query.by) };
		return store.listSubUsersBy({ ...query, after });
	});
}
