import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPEN_KNOWN_MS } from '@bursar/contract/edge';
import { PAIR_STATES, type PairState } from '@bursar/contract/sub-user-terms';
import { pairStateOf, refusalOf } from '../../../src/domain/pair-state.ts';
import { startOfDayMs, usageDayOf } from '../../../src/domain/usage.ts';
import type { Store } from '../../../src/store/store.ts';
import {
	createReseller,
	createSubUser,
	deleteSubUser,
	giveBalance,
	NOON_MS,
	noteReseller,
	postUsage,
	resumeReseller,
	setLimits,
	setPrice,
	suspendReseller,
	suspendSubUser,
	takeBalance,
} from '../../support/commands.ts';
import { openInProcess, openOnEdge } from '../../support/records.ts';
import { assertSoundLedger, balanceOf, type Engine, endings, keep, keepAll, record, run, runAll } from './engine.ts';

const GB = 1_000_000_000;
const ROUNDS = 10;

/** Tests that sub-users are suspended, limited and deleted, and what of them stays. */
export function termsSuite(engine: Engine): void {
	async function open(t: Parameters<Engine['open']>[0]) {
		const opened = await engine.open(t);
		await runAll(opened.store, [
			createReseller('acme', 1000),
			createReseller('other', 1000),
			createSubUser('acme', 'alice'),
			createSubUser('acme', 'bruno'),
			giveBalance('acme', 'alice', 500),
		]);
		return opened;
	}

	test('a reseller keeps its note while it is suspended and resumed, and its suspension while it is noted', async (t) => {
		const { store } = await open(t);
		const known = async () => {
			const { suspendedAtMs, note } = await store.findOwnTerms('acme');
			const [listed] = await store.listResellersBy({ search: 'acme', by: 'name', descends: false, limit: 1 });
			assert.deepEqual([listed?.suspendedAtMs, listed?.note], [suspendedAtMs, note]);
			return [suspendedAtMs !== null, note];
		};
		assert.deepEqual(await known(), [false, '']);
		await runAll(store, [noteReseller('acme', 'pays late'), suspendReseller('acme')]);
		assert.deepEqual(await known(), [true, 'pays late']);
		await runAll(store, [noteReseller('acme', 'pays')]);
		assert.deepEqual(await known(), [true, 'pays']);
		await runAll(store, [resumeReseller('acme')]);
		assert.deepEqual(await known(), [false, 'pays']);
		await runAll(store, [noteReseller('acme', '')]);
		assert.deepEqual(await known(), [false, '']);
		assert.deepEqual(endings(await run(store, [noteReseller('none', 'x'), noteReseller('acme', 'two\nlines')])), [
			'unknown_reseller',
			'invalid_note',
		]);
	});

	let reports = 0;
	function use(store: Store, username: string, bytesUp: number, atMs: number, nowMs = Date.now()) {
		return record(store, [{ source: 's', id: `terms ${reports++}`, username, atMs, bytesUp, bytesDown: 0 }], nowMs);
	}

	test('a delete settles what is due, gives the rest back, and takes the name for ever', async (t) => {
		const opened = await open(t);
		const { store, openAnother } = opened;
		const another = await openAnother();
		await runAll(store, [setPrice('acme', 1_000_000)]);
		await use(store, 'alice', 2 * GB, NOON_MS, NOON_MS);
		const [outcome] = await run(another, [deleteSubUser('acme', 'alice')]);
		assert.deepEqual(outcome, { ok: true, username: 'alice', returnedCents: 300 });
		assert.equal(await balanceOf(store, 'acme', 'alice'), undefined);
		assert.equal(await balanceOf(store, 'acme', 'acme'), 1000 - 20 - 500 + 300);
		assert.equal((await store.readPairs(['alice'])).get('alice'), undefined);
		assert.deepEqual(endings(await run(store, [createSubUser('acme', 'alice'), createSubUser('other', 'alice')])), [
			'username_taken',
			'username_taken',
		]);
		const entries = (await opened.transfers('acme')).filter(({ debit }) => debit === 'alice');
		assert.deepEqual(
			entries.map(({ kind, amountCents }) => [kind, amountCents]),
			[
				['usage', 200],
				['take', 300],
			],
		);
		const [day] = await store.listUsageDays('acme', 'alice', 0, 100_000);
		assert.equal(day?.bytesUp, 2 * GB, 'its past stays');
		await assertSoundLedger(store);
	});

	test('deletes, gives, takes and reports at once, from several stores: no cent is lost, and each name is deleted once', async (t) => {
		const { store, openAnother } = await open(t);
		const stores = [store, await openAnother(), await openAnother()];
		const users = Array.from({ length: ROUNDS }, (_, n) => `user.${n}`);
		await runAll(store, [setPrice('acme', 1_000_000), ...users.map((name) => createSubUser('acme', name))]);
		await runAll(
			store,
			users.map((name) => giveBalance('acme', name, 20)),
		);
		const deleted = new Map<string, number>();
		await Promise.all(
			stores.flatMap((each, index) =>
				users.map(async (name, n) => {
					const moves = [giveBalance('acme', name, 3), takeBalance('acme', name, 2)];
					const others = n % 2 ? moves : moves.toReversed();
					const [, outcome] = await Promise.all([
						use(each, name, 7_000_000 * (index + 1), NOON_MS, NOON_MS),
						run(each, [...others, deleteSubUser('acme', name), ...moves, postUsage('acme', name)]).then((outcomes) => {
							for (const ending of endings(outcomes)) {
								assert.match(ending, /^(ok|unknown_sub_user|insufficient_balance)$/);
							}
							return outcomes[2];
						}),
					]);
					if (outcome?.ok) deleted.set(name, (deleted.get(name) ?? 0) + 1);
				}),
			),
		);
		assert.deepEqual(
			[...deleted.values()],
			users.map(() => 1),
		);
		await assertSoundLedger(store);
	});

	test('lists, counts, pages and checks say the same state, whatever bounds an account', async (t) => {
		const { store } = await open(t);
		const nowMs = store.nowMs();
		const balances = { none: [0, 0], some: [100, 1_000], gone: [100, 2 * GB] } as const;
		const limits = [{}, { dayBytes: 1 }, { monthBytes: 1 }, { totalBytes: 1 }, { totalBytes: 5 * GB }];
		const kinds = [false, true].flatMap((isSuspended) =>
			[{}, { expiresAtMs: nowMs - 1 }, { expiresAtMs: nowMs + 9e9 }].flatMap((expiry) =>
				Object.values(balances).flatMap(([cents, bytes]) =>
					limits.map((limit) => ({ isSuspended, limits: { ...expiry, ...limit }, cents, bytes })),
				),
			),
		);
		const found = new Set<PairState>();
		const ownStates: Readonly<Record<string, PairState>> = {
			metered: 'no_balance',
			stopped: 'reseller_suspended',
			indebted: 'reseller_in_debt',
		};
		const fees = 10 * kinds.length;
		const given = kinds.reduce((sum, { cents }) => sum + cents, 0);
		for (const reseller of ['metered', 'unmetered', 'stopped', 'indebted']) {
			const named = kinds.map((kind, index) => ({ ...kind, username: `${reseller}.${index}` }));
			await runAll(store, [
				createReseller(reseller, fees + given),
				...(reseller === 'unmetered' ? [] : [{ ...setPrice(reseller, 1_000_000), debtLineCents: 0 }]),
				...named.flatMap(({ username, ...kind }) => [
					createSubUser(reseller, username),
					...(kind.cents > 0 ? [giveBalance(reseller, username, kind.cents)] : []),
					...(Object.keys(kind.limits).length > 0 ? [setLimits(reseller, username, kind.limits)] : []),
					...(kind.isSuspended ? [suspendSubUser(reseller, username)] : []),
				]),
			]);
			for (const { username, bytes } of named) if (bytes > 0) await use(store, username, bytes, nowMs, nowMs);
			if (reseller === 'stopped') await runAll(store, [suspendReseller(reseller)]);
			if (reseller === 'indebted') await runAll(store, [postUsage(reseller, ...named.map(({ username }) => username))]);
			const usernames = named.map(({ username }) => username);
			const query = { reseller, usernames: [reseller, ...usernames, 'nobody', 'alice'], atMs: nowMs };
			const bounds = await store.readPairBounds(query);
			assert.deepEqual([...bounds.keys()].toSorted(), [reseller, ...usernames].toSorted());
			const pairs = await store.readPairs(usernames);
			const states = Map.groupBy(usernames, (username) => {
				const each = bounds.get(username);
				const pair = pairs.get(username);
				assert.ok(each && pair);
				assert.equal(refusalOf(each, nowMs), refusalOf(pair, nowMs));
				return pairStateOf(each, nowMs);
			});
			const counts = await store.countSubUserStates(reseller, nowMs);
			for (const state of PAIR_STATES) {
				const wanted = states.get(state) ?? [];
				if (wanted.length > 0) found.add(state);
				assert.equal(counts[state], wanted.length, `${reseller} ${state}`);
				const inState = { state, atMs: nowMs };
				const search = { text: '', match: 'beginning' } as const;
				assert.equal(await store.countSubUsers(reseller, search, inState), wanted.length);
				for (const by of ['name', 'bandwidth'] as const) {
					const used = { firstDay: 0, lastDay: usageDayOf(nowMs) };
					const rows = await store.listSubUsersBy({ reseller, search, inState, by, used, descends: false, limit: 500 });
					const names = rows.map(({ username }) => username);
					assert.deepEqual(names.toSorted(), wanted.toSorted(), `${reseller} ${state} by ${by}`);
				}
			}
			const own = bounds.get(reseller);
			assert.ok(own);
			assert.equal(pairStateOf(own, nowMs), ownStates[reseller] ?? 'active');
			const ranOut = await store.listRanOut({
				reseller,
				firstDay: 0,
				lastDay: usageDayOf(nowMs),
				atMs: nowMs,
				limit: 500,
			});
			assert.deepEqual(ranOut.map(({ username }) => username).toSorted(), (states.get('exhausted') ?? []).toSorted());
		}
		assert.deepEqual(found, new Set(PAIR_STATES));
	});

	test('the pair says what is left of the first limit: late reports count on their day and month', async (t) => {
		const { store } = await open(t);
		const limits = { dayBytes: 100, monthBytes: 1000, totalBytes: 5000 };
		const left = async () => (await store.readPairs(['alice'])).get('alice')?.limitLeftBytes;
		const nowMs = store.nowMs();
		// The first of the month before: not of this month, and accepted.
		const dayOfMonth = new Date(nowMs).getUTCDate();
		const lastMonthMs = startOfDayMs(usageDayOf(nowMs) - dayOfMonth);
		assert.equal(await left(), null);
		await runAll(store, [setLimits('acme', 'alice', limits)]);
		assert.equal(await left(), 100);
		await use(store, 'alice', 30, nowMs);
		assert.equal(await left(), 70);
		await use(store, 'alice', 4000, lastMonthMs);
		assert.equal(await left(), 70, 'of the month before');
		await runAll(store, [setLimits('acme', 'alice', { dayBytes: null })]);
		assert.equal(await left(), 970, 'the month and the total have 970 each');
		await use(store, 'alice', 5, lastMonthMs);
		assert.equal(await left(), 965, 'the total counts every month');
		await runAll(store, [setLimits('acme', 'alice', { totalBytes: null })]);
		assert.equal(await left(), 970);
		await use(store, 'alice', 971, nowMs);
		assert.equal(await left(), 0, 'never below zero');
	});

	test('the pair has the limits that hold, and what edges and their processes lately said is open; older is forgotten', async (t) => {
		const { store, insert, rows } = await open(t);
		const networks = ['192.0.2.0/24', '2001:db8::/32'];
		const limits = { connections: 3, bytesPerSecond: 1e12, allowedIps: networks, expiresAtMs: NOON_MS };
		await runAll(store, [setLimits('acme', 'alice', limits), suspendSubUser('acme', 'bruno')]);
		const nowMs = store.nowMs();
		const old = { username: 'alice', edge: 'eu-0', open: 7, at_ms: nowMs - OPEN_KNOWN_MS - 5_000 };
		await insert({ open_connections: [old], open_in_processes: [{ ...old, process: 'a' }] });
		const kept = async () => {
			const columns = "edge || ' ' || open AS text";
			const found = await rows(`SELECT ${columns} FROM open_connections UNION ALL
				SELECT process || ' of ' || ${columns} FROM open_in_processes ORDER BY text`);
			return found.flatMap(Object.values);
		};
		const ofProcess = (process: string, open: number) => openInProcess('eu-4', process, 'alice', open);
		const records = [
			...[openOnEdge('eu-1', 'alice', 2), openOnEdge('eu-2', 'alice', 1), openOnEdge('eu-1', 'alice', 5)],
			...[ofProcess('a', 2), ofProcess('b', 1), ofProcess('a', 4)],
			...['bruno', 'nobody'].flatMap((name) => [openOnEdge('eu-1', name, 4), openInProcess('eu-1', 'a', name, 4)]),
		];
		assert.deepEqual(endings(await keep(store, records, nowMs)), Array(10).fill('ok'));
		await keepAll(store, [openOnEdge('eu-2', 'alice', 0)], nowMs);
		const pairs = await store.readPairs(['alice', 'bruno']);
		const { open: opened, ...alice } = pairs.get('alice') ?? assert.fail();
		assert.partialDeepStrictEqual(alice, { ...limits, isSuspended: false, isBeyondDebtLine: false });
		assert.deepEqual(
			opened.map((each) => `${each.edge} ${each.process} ${each.open}`),
			['eu-1  5', 'eu-4 a 4', 'eu-4 b 1'],
		);
		assert.equal((await store.findDetails('acme', 'alice'))?.openConnections, 10);
		const bruno = pairs.get('bruno');
		assert.deepEqual([bruno?.connections, bruno?.isSuspended, bruno?.open], [null, true, []]);
		const ofAlice = ['a of eu-0 7', 'a of eu-4 4', 'b of eu-4 1', 'eu-0 7', 'eu-1 5', 'eu-2 0'];
		assert.deepEqual(await kept(), ofAlice, 'only for accounts with such a limit');

		const wrong = [openOnEdge('eu-1', 'alice', -1), ofProcess('a', -1)];
		const later = [...wrong, openOnEdge('eu-3', 'alice', 1), openInProcess('eu-2', 'a', 'alice', 1)];
		const ends = endings(await keep(store, later, nowMs + 6 * OPEN_KNOWN_MS + 1));
		assert.deepEqual(ends, ['rules_failed', 'rules_failed', 'ok', 'ok'], 'a bad one harms no other');
		assert.deepEqual(await kept(), ['a of eu-2 1', 'eu-3 1']);
	});

	test('a verification finds a deleted sub-user whose name is free, or that has an account again', async (t) => {
		const { store, rows, insert } = await open(t);
		await runAll(store, [deleteSubUser('acme', 'alice'), deleteSubUser('acme', 'bruno')]);
		await assertSoundLedger(store);
		await insert({
			accounts: [{ reseller: 'acme', username: 'alice', balance_cents: 0, sealed_auth_key: 'x', created_at_ms: 1 }],
			deleted_accounts: [{ reseller: 'acme', username: 'chiara', created_at_ms: 1, deleted_at_ms: 2, request_id: 'r' }],
		});
		const { problems } = await store.verifyLedger();
		const problem = 'a deleted sub-user still has an account, or its name is free';
		assert.deepEqual(problems.map(({ name }) => name).sort(), ['alice', 'chiara']);
		assert.deepEqual(new Set(problems.map((each) => each.problem)), new Set([problem]));
		assert.equal((await rows("SELECT * FROM deleted_accounts WHERE username = 'bruno'")).length, 1);
	});
}
