import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPEN_KNOWN_MS } from '@bursar/contract/edge';
import { PAIR_STATES, type PairState } from '@bursar/contract/life';
import type { Command } from '../../../src/domain/command.ts';
import { pairStateOf, refusalOf } from '../../../src/domain/pair-state.ts';
import { startOfDayMs, usageDayOf } from '../../../src/domain/usage.ts';
import type { Store } from '../../../src/store/store.ts';
import {
	createReseller,
	createSubUser,
	deleteSubUser,
	giveBalance,
	NOON_MS,
	postUsage,
	resumeReseller,
	setLimits,
	setPrice,
	suspendReseller,
	suspendSubUser,
	takeBalance,
} from '../../support/commands.ts';
import { openInProcess, openOnEdge } from '../../support/notes.ts';
import { assertSoundLedger, balanceOf, type Engine, endings, note, noteAll, record, run, runAll } from './engine.ts';

const GB = 1_000_000_000;
const ROUNDS = 10;

/** Tests that sub-users are suspended, limited and deleted, and what of them stays. */
export function lifeSuite(engine: Engine): void {
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

	let reports = 0;
	function use(store: Store, username: string, bytesUp: number, atMs: number, nowMs = Date.now()) {
		return record(store, [{ source: 's', id: `life ${reports++}`, username, atMs, bytesUp, bytesDown: 0 }], nowMs);
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
		const unknown: Command[] = [
			deleteSubUser('acme', 'alice'),
			giveBalance('acme', 'alice', 1),
			takeBalance('acme', 'alice', 1),
			suspendSubUser('acme', 'alice'),
		];
		assert.deepEqual(
			endings(await run(store, unknown)),
			unknown.map(() => 'unknown_sub_user'),
		);
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

	test('what a deleted sub-user used is counted also later, and its reseller pays it', async (t) => {
		const { store, rows } = await open(t);
		await runAll(store, [setPrice('acme', 1_000_000)]);
		await use(store, 'alice', GB, NOON_MS, NOON_MS);
		await runAll(store, [deleteSubUser('acme', 'alice')]);
		const balance = await balanceOf(store, 'acme', 'acme');
		assert.deepEqual(await use(store, 'alice', 3 * GB, NOON_MS, NOON_MS + 1), ['counted']);
		assert.deepEqual(await store.findOverdrawn(['alice']), [{ reseller: 'acme', username: 'alice' }]);
		await runAll(store, [postUsage('acme', 'alice')], NOON_MS + 2);
		assert.deepEqual(await store.findOverdrawn(['alice']), []);
		const [meter] = await rows("SELECT charged_cents FROM meters WHERE username = 'alice'");
		assert.deepEqual(Object.values(meter ?? {}).map(Number), [400]);
		assert.equal(await balanceOf(store, 'acme', 'acme'), (balance ?? 0) - 300);
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
			stores.flatMap((each, place) =>
				users.map(async (name, n) => {
					const moves = [giveBalance('acme', name, 3), takeBalance('acme', name, 2)];
					const others = n % 2 ? moves : moves.toReversed();
					const [, outcome] = await Promise.all([
						use(each, name, 7_000_000 * (place + 1), NOON_MS, NOON_MS),
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

	test('a suspended reseller changes nothing and pays no fee; its pairs and those of its sub-users say so', async (t) => {
		const { store } = await open(t);
		await runAll(store, [suspendReseller('acme')]);
		const refused: Command[] = [
			createSubUser('acme', 'chiara'),
			giveBalance('acme', 'alice', 1),
			takeBalance('acme', 'alice', 1),
			setLimits('acme', 'alice', { dayBytes: 1 }),
			deleteSubUser('acme', 'alice'),
		];
		assert.deepEqual(
			endings(await run(store, refused)),
			refused.map(() => 'suspended'),
		);
		assert.equal(await balanceOf(store, 'acme', 'acme'), 480);
		const suspended = await store.readPairs(['acme', 'alice', 'other']);
		assert.deepEqual([...suspended].map(([name, pair]) => [name, pair?.isResellerSuspended]).sort(), [
			['acme', true],
			['alice', true],
			['other', false],
		]);
		await runAll(store, [resumeReseller('acme'), giveBalance('acme', 'alice', 1)]);
		assert.equal((await store.readPairs(['alice'])).get('alice')?.isResellerSuspended, false);
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
			const named = kinds.map((kind, place) => ({ ...kind, username: `${reseller}.${place}` }));
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

	test('the pair has the limits that hold, and what edges lately said is open', async (t) => {
		const { store, insert } = await open(t);
		const networks = ['192.0.2.0/24', '2001:db8::/32'];
		await runAll(store, [
			setLimits('acme', 'alice', { connections: 3, allowedIps: networks, expiresAtMs: NOON_MS }),
			suspendSubUser('acme', 'bruno'),
		]);
		const nowMs = store.nowMs();
		const row = (username: string, edge: string, open: number, ageMs = 0) => {
			return { username, edge, open, at_ms: nowMs - ageMs };
		};
		await insert({
			open_connections: [
				row('alice', 'eu-1', 2),
				row('alice', 'eu-2', 0),
				row('alice', 'eu-3', 7, OPEN_KNOWN_MS + 5_000),
				row('bruno', 'eu-1', 9),
			],
			open_in_processes: [
				{ ...row('alice', 'eu-4', 4), process: 'a' },
				{ ...row('alice', 'eu-4', 5, OPEN_KNOWN_MS + 5_000), process: 'b' },
			],
		});
		const pairs = await store.readPairs(['alice', 'bruno']);
		assert.partialDeepStrictEqual(pairs.get('alice'), {
			connections: 3,
			allowedIps: networks,
			expiresAtMs: NOON_MS,
			isSuspended: false,
			isBeyondDebtLine: false,
			open: [
				{ edge: 'eu-1', process: '', open: 2 },
				{ edge: 'eu-4', process: 'a', open: 4 },
			],
		});
		assert.partialDeepStrictEqual(pairs.get('bruno'), { connections: null, isSuspended: true, open: [] });
	});

	test('what edges say is open is kept for accounts with such a limit alone, and forgotten after a minute', async (t) => {
		const { store, rows } = await open(t);
		await runAll(store, [setLimits('acme', 'alice', { connections: 3 })]);
		const nowMs = store.nowMs();
		const openOf = async () => {
			const open = (await store.readPairs(['alice'])).get('alice')?.open ?? [];
			return new Map(open.map((each) => [each.process === '' ? each.edge : `${each.edge} ${each.process}`, each.open]));
		};
		const kept = () => rows('SELECT username, edge, open FROM open_connections ORDER BY username, edge');
		const told = [openOnEdge('eu-1', 'alice', 2), openOnEdge('eu-2', 'alice', 1), openOnEdge('eu-1', 'alice', 5)];
		const nobody = [openOnEdge('eu-1', 'bruno', 4), openOnEdge('eu-1', 'nobody', 4)];
		assert.deepEqual(endings(await note(store, [...told, ...nobody], nowMs)), Array(5).fill('ok'));
		assert.deepEqual(
			await openOf(),
			new Map([
				['eu-1', 5],
				['eu-2', 1],
			]),
		);
		assert.equal((await kept()).length, 2);
		await noteAll(store, [openOnEdge('eu-2', 'alice', 0)], nowMs);
		assert.deepEqual(await openOf(), new Map([['eu-1', 5]]));
		await noteAll(store, [openOnEdge('eu-3', 'alice', 1)], nowMs + 6 * OPEN_KNOWN_MS + 1);
		assert.deepEqual(await kept(), [{ username: 'alice', edge: 'eu-3', open: 1 }]);
		const failed = await note(store, [openOnEdge('eu-1', 'alice', -1), openOnEdge('eu-1', 'alice', 1)], nowMs);
		assert.deepEqual(endings(failed), ['rules_failed', 'ok'], 'a bad one harms no other');
	});

	test('what processes of an edge say is open is kept apart, and adds up', async (t) => {
		const { store, rows } = await open(t);
		await runAll(store, [setLimits('acme', 'alice', { connections: 9 })]);
		const nowMs = store.nowMs();
		const kept = () => rows('SELECT username, edge, process, open FROM open_in_processes ORDER BY process');
		const ofAlice = (process: string, open: number) => openInProcess('eu-1', process, 'alice', open);
		const told = [ofAlice('a', 2), ofAlice('b', 1), ofAlice('a', 4), openOnEdge('eu-1', 'alice', 1)];
		const nobody = [openInProcess('eu-1', 'a', 'bruno', 4), openInProcess('eu-1', 'a', 'nobody', 4)];
		assert.deepEqual(endings(await note(store, [...told, ...nobody], nowMs)), Array(6).fill('ok'));
		assert.deepEqual(await kept(), [
			{ username: 'alice', edge: 'eu-1', process: 'a', open: 4 },
			{ username: 'alice', edge: 'eu-1', process: 'b', open: 1 },
		]);
		assert.equal((await store.findDetails('acme', 'alice'))?.openConnections, 6);
		await noteAll(store, [openInProcess('eu-2', 'a', 'alice', 1)], nowMs + 6 * OPEN_KNOWN_MS + 1);
		assert.deepEqual(await kept(), [{ username: 'alice', edge: 'eu-2', process: 'a', open: 1 }]);
		const failed = await note(store, [ofAlice('a', -1), ofAlice('a', 1)], nowMs);
		assert.deepEqual(endings(failed), ['rules_failed', 'ok'], 'a bad one harms no other');
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
