import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed, type Random, randomFrom } from '@bursar/testing/random';
import type { Command } from '../../../src/commands/registry.ts';
import { ROWS_IN_A_STEP } from '../../../src/store/search.ts';
import type { Store } from '../../../src/store/store.ts';
import type { MovementQuery, StoredMovement } from '../../../src/store/tables/ledger/movements.ts';
import {
	createReseller,
	createSubUser,
	creditReseller,
	deleteSubUser,
	giveBalance,
	NOON_MS,
	postUsage,
	setPrice,
	takeBalance,
} from '../../support/commands.ts';
import { type Engine, type OpenedEngine, record, runAll } from './engine.ts';

const SEARCHES = process.env.BURSAR_TEST_FAULTS === 'long' ? 20 : 10;
const NEWEST = Number.MAX_SAFE_INTEGER;
const SUB_USERS = ['al_ice', 'alxice', 'bruno'];
const KINDS = ['top_up', 'adjustment', 'create_fee', 'give', 'take', 'usage', 'unknown'];

/** What a cent pays for. */
const CENT_BYTES = 10_000_000;
const REFERENCES = ['order-1', 'order-2'];

type Filters = Pick<MovementQuery, 'kind' | 'username' | 'fromMs' | 'toMs' | 'reference' | 'isOwn' | 'except'>;

/** Tests searches of movements and acts: filters, dates, bounded steps, and who moved the money. */
export function movementSuite(engine: Engine): void {
	test('every search of movements finds what a filter of all ledger rows finds, in both directions', async (t) => {
		const opened = await engine.open(t);
		const random = randomFrom(printedSeed(t));
		await moveAtRandom(opened.store, random);
		const all = await storedMovements(opened, 'acme');
		assert.ok(all.length > 200);
		assert.deepEqual(
			all.map(({ number }) => number),
			all.map((_, index) => index + 1),
		);
		for (let search = 0; search < SEARCHES; search++) {
			const filters = randomFilters(random, all);
			const expected = all.filter((row) => isMatch(row, filters)).map(({ number }) => number);
			const limit = 15 + random.below(60);
			const query = { reseller: 'acme', limit, ...filters };
			const found = await numbersOf(limit, async (before = NEWEST) => {
				const { rows, nextBefore } = await opened.store.listMovements({ ...query, before });
				return [rows, nextBefore];
			});
			assert.deepEqual(found, expected.toReversed(), JSON.stringify(filters));
			const forFile = await numbersOf(limit, async (after = 0) => {
				const { rows, nextAfter } = await opened.store.listMovementsAfter({ ...query, after });
				return [rows, nextAfter];
			});
			assert.deepEqual(forFile, expected, JSON.stringify(filters));
			const { kind: _k, username: _u, isOwn: _o, except: _e, ...followable } = filters;
			const followed = await numbersOf(limit, async (after = 0) => {
				const step = { reseller: 'acme', limit, ...followable, after };
				const { rows, nextAfter } = await opened.store.followMovements(step);
				return [rows, nextAfter];
			});
			const ofProgram = all.filter((row) => isMatch(row, followable)).map(({ number }) => number);
			assert.deepEqual(followed, ofProgram, JSON.stringify(followable));
		}
	});

	test('a movement has its reference and the id of its change, and both are found by its id', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 1000), createReseller('other', 1000)]);
		await runAll(store, [
			{ ...createSubUser('acme', 'alice'), changeId: 'change-number-01' },
			{ ...giveBalance('acme', 'alice', 5), changeId: 'change-number-02', reference: 'order-1' },
			{ ...takeBalance('acme', 'alice', 1), reference: '!~"\'\\{},' },
			{ ...deleteSubUser('acme', 'alice'), changeId: 'change-number-03' },
			creditReseller('acme', 5, 'invoice-1'),
		]);
		const found = await Promise.all(
			[2, 3, 4, 5, 6].map(async (id) => {
				const { newest, movement } = (await store.findMovement('acme', id)) ?? assert.fail();
				assert.equal(newest, 6);
				return [movement?.number, movement?.kind, movement?.changeId, movement?.reference];
			}),
		);
		assert.deepEqual(found, [
			[2, 'create_fee', 'change-number-01', null],
			[3, 'give', 'change-number-02', 'order-1'],
			[4, 'take', null, '!~"\'\\{},'],
			[5, 'take', 'change-number-03', null],
			[6, 'top_up', null, 'invoice-1'],
		]);
		assert.deepEqual(await store.findMovement('acme', 7), { newest: 6, movement: undefined });
		assert.deepEqual(await store.findMovement('other', 6), { newest: 1, movement: undefined });
		assert.equal(await store.findMovement('nobody', 1), undefined);
	});

	test('a request id that two resellers have shows the movements of both', async (t) => {
		const { store } = await engine.open(t);
		const requestId = 'of-both';
		await runAll(
			store,
			[createReseller('acme', 10), createReseller('other', 10)].map((each) => ({ ...each, requestId })),
		);
		const { movements } = await store.findRequest(requestId);
		assert.deepEqual(
			movements.map(({ reseller, number }) => [reseller, number]),
			[
				['acme', 1],
				['other', 1],
			],
		);
	});

	test('after the clock was set back, a search by date shows no movement of another date', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 1000)], 1_000);
		for (const atMs of [2_000, 3_000, 2_500, 4_000]) {
			await runAll(store, [creditReseller('acme', 1, `at ${atMs}`)], atMs);
		}
		for (const [fromMs, toMs] of [
			[2_000, 3_000],
			[2_600, 3_500],
			[1_000, 2_500],
		] as const) {
			const { rows } = await store.listMovements({ reseller: 'acme', before: NEWEST, fromMs, toMs, limit: 10 });
			assert.ok(rows.every(({ atMs }) => atMs >= fromMs && atMs < toMs));
		}
		assert.equal(
			(await store.listMovements({ reseller: 'acme', before: NEWEST, fromMs: 4_000, limit: 9 })).rows.length,
			1,
		);
	});

	test('a search looks at 10,000 movements in a step, says how far it has looked, and goes on there', async (t) => {
		const { store } = await engine.open(t);
		const moves = ROWS_IN_A_STEP + 500;
		await runAll(store, [createReseller('acme', 2 * moves), createSubUser('acme', 'alice')], 1_000);
		await runAll(store, [createSubUser('acme', 'bruno'), giveBalance('acme', 'bruno', 1)], 2_000);
		for (let done = 0; done < moves; done += 1_500) {
			const gives = Array.from({ length: 1_500 }, () => giveBalance('acme', 'alice', 1));
			await runAll(store, gives, 3_000 + done);
		}
		const query = { reseller: 'acme', username: 'bruno', limit: 50 };
		const first = await store.listMovements({ ...query, before: NEWEST });
		assert.deepEqual(first.rows, []);
		assert.ok(first.nextBefore !== null && first.searchedToMs !== null && first.searchedToMs >= 3_000);
		const second = await store.listMovements({ ...query, before: first.nextBefore });
		assert.deepEqual(
			second.rows.map(({ kind, atMs }) => [kind, atMs]),
			[
				['give', 2_000],
				['create_fee', 2_000],
			],
		);
		assert.equal(second.nextBefore, null);
		const late = { reseller: 'acme', after: 0, kind: 'take', limit: 50 };
		const step = await store.listMovementsAfter(late);
		assert.deepEqual(step.rows, []);
		assert.ok(step.nextAfter !== null);
		assert.deepEqual(await store.listMovementsAfter({ ...late, after: step.nextAfter }), { rows: [], nextAfter: null });
		const unfiltered = await store.listMovements({ reseller: 'acme', before: NEWEST, limit: 50 });
		assert.equal(unfiltered.rows.length, 50);
	});

	test('a statement says who moved the money: people of the reseller, operators, or nobody that is known', async (t) => {
		const { store, insert } = await engine.open(t);
		const people = { ann: 'acme', olga: null, eve: 'other' } as const;
		await runAll(store, [createReseller('acme', 1000), createReseller('other', 1000), createSubUser('acme', 'alice')]);
		await runAll(store, [
			{ ...giveBalance('acme', 'alice', 1), requestId: 'request of ann' },
			{ ...creditReseller('acme', 2, 'invoice-1'), requestId: 'request of olga', reason: 'May' },
			{ ...creditReseller('acme', -1, 'mistake-1'), requestId: 'request of the command line' },
			{ ...giveBalance('acme', 'alice', 3), requestId: 'request of eve' },
			{ ...giveBalance('acme', 'alice', 4), requestId: 'request of a program' },
		]);
		await insert({
			people: Object.entries(people).map(([name, reseller]) => person(name, reseller)),
			acts: Object.keys(people).map((name) => act(name, { kind: 'give_balance', request_id: `request of ${name}` })),
		});
		const { rows } = await store.listMovements({ reseller: 'acme', before: NEWEST, limit: 5 });
		assert.deepEqual(
			rows.map(({ amountCents, email, emailReseller, reference, reason }) => [
				amountCents,
				email,
				emailReseller,
				reference,
				reason,
			]),
			[
				[4, null, null, null, null],
				[3, null, null, null, null],
				[1, null, null, 'mistake-1', 'a mistake'],
				[2, 'olga@example.com', null, 'invoice-1', 'May'],
				[1, 'ann@example.com', 'acme', null, null],
			],
		);
	});

	test('acts of all people are found by person, kind and date', async (t) => {
		const { store, insert } = await engine.open(t);
		const acts = Array.from({ length: 40 }, (_, index) =>
			act(index % 3 === 0 ? 'ann' : 'olga', {
				id: `act ${index}`,
				kind: index % 2 === 0 ? 'sign_in' : 'give_balance',
				target: String(index),
				at_ms: 1_000 + 10 * index,
			}),
		);
		await insert({ people: [person('ann', 'acme'), person('olga', null)], acts });
		const targets = async (query: object) => {
			const { rows, nextBefore } = await store.searchActs({ before: NEWEST, limit: 50, ...query });
			assert.equal(nextBefore, null);
			return rows.map(({ target }) => Number(target));
		};
		const indexes = acts.map((_, index) => index).reverse();
		assert.deepEqual(await targets({}), indexes);
		assert.deepEqual(
			await targets({ emailPart: 'ann@example.com' }),
			indexes.filter((index) => index % 3 === 0),
		);
		assert.deepEqual(
			await targets({ emailPart: 'ann@example.com', kind: 'sign_in', fromMs: 1_060, toMs: 1_240 }),
			[18, 12, 6],
		);
		assert.deepEqual(await targets({ kind: 'give_balance', toMs: 1_031 }), [3, 1]);
		assert.deepEqual(await targets({ emailPart: 'nobody@example.com' }), []);
		const ofAnn = indexes.filter((index) => index % 3 === 0);
		assert.deepEqual(await targets({ emailPart: 'nn@ex' }), ofAnn);
		assert.deepEqual(await targets({ emailPart: 'ann', kind: 'sign_in', toMs: 1_130 }), [12, 6, 0]);
		for (const emailPart of ['a_n', '%', '!', 'nobody']) assert.deepEqual(await targets({ emailPart }), [], emailPart);
		const step = await store.searchActsAfter({ emailPart: 'ann', after: 0, limit: 50 });
		assert.deepEqual([step.rows.map(({ target }) => Number(target)), step.nextAfter], [ofAnn.toReversed(), null]);
		const first = await store.searchActs({ before: NEWEST, limit: 2 });
		assert.deepEqual(
			first.rows.map(({ email, reseller, target }) => [email, reseller, target]),
			[
				['ann@example.com', 'acme', '39'],
				['olga@example.com', null, '38'],
			],
		);
		const rest = await store.searchActs({ before: first.nextBefore ?? 0, limit: 50 });
		assert.equal(rest.rows.length, 38);
	});
}

function person(name: string, reseller: string | null) {
	return {
		id: name,
		email: `${name}@example.com`,
		reseller,
		password_hash: null,
		created_at_ms: NOON_MS,
		locked_at_ms: null,
	};
}

function act(name: string, more: Readonly<Record<string, string | number>>) {
	return {
		id: `act of ${name}`,
		person: name,
		session: 'session',
		address: '192.0.2.1',
		target: 'alice',
		at_ms: NOON_MS,
		request_id: 'request',
		...more,
	};
}

/** Two resellers in turns. Some batches have the same time. */
async function moveAtRandom(store: Store, random: Random): Promise<void> {
	let requests = 0;
	// A request has one payment at most, so no two commands share a request.
	const move = (commands: readonly Command[], atMs: number) =>
		runAll(
			store,
			commands.map((command) => ({ ...command, requestId: `request-${++requests}` })),
			atMs,
		);
	await move([createReseller('acme', 100_000), createReseller('other', 100_000)], 1_000);
	await move([...SUB_USERS.map((name) => createSubUser('acme', name)), createSubUser('other', 'olaf')], 1_000);
	await move([setPrice('acme', 1_000_000)], 1_000);
	let atMs = 1_000;
	for (let batch = 0; batch < 60; batch++) {
		atMs += random.below(3) * 500;
		const commands = Array.from({ length: 1 + random.below(12) }, (_, index): Command => {
			const username = SUB_USERS[random.below(SUB_USERS.length)] as string;
			switch (random.below(6)) {
				case 0:
					return giveBalance('other', 'olaf', 1);
				case 1:
					return creditReseller('acme', random.below(2) === 0 ? 5 : -5, `${batch} ${index}`);
				case 2:
					return { ...giveBalance('acme', username, 1), reference: REFERENCES[random.below(2)] };
				default:
					return giveBalance('acme', username, 2);
			}
		});
		await move(commands, atMs);
		const users = ['acme', ...SUB_USERS].filter(() => random.below(2) === 0);
		await record(
			store,
			users.map((username) => {
				const id = `${batch} ${username}`;
				return { source: 'movements', id, username, atMs, bytesUp: CENT_BYTES, bytesDown: 0 };
			}),
			atMs,
		);
		await move([postUsage('acme', ...users)], atMs);
		if (batch % 5 !== 4) continue;
		await move([giveBalance('acme', SUB_USERS[0] as string, 3)], atMs);
		await move([takeBalance('acme', SUB_USERS[0] as string, 2)], atMs);
	}
}

/** Times of movements, and one millisecond beside them, are the interesting ones. */
function randomFilters(random: Random, all: readonly StoredMovement[]): Filters {
	const time = () => (all[random.below(all.length)]?.atMs ?? 0) + random.below(3) - 1;
	const maybe = <Value>(value: Value) => (random.below(2) === 0 ? value : undefined);
	return {
		kind: maybe(KINDS[random.below(KINDS.length)]),
		username: maybe([...SUB_USERS, 'olaf'][random.below(4)]),
		fromMs: maybe(time()),
		toMs: maybe(time()),
		reference: maybe([...REFERENCES, 'order-3'][random.below(3)]),
		isOwn: maybe(true),
		except: maybe('usage'),
	};
}

function isMatch(row: StoredMovement, filters: Filters): boolean {
	const { kind, username, fromMs = 0, toMs = NEWEST, reference, isOwn, except } = filters;
	if (isOwn && row.debit !== 'acme' && row.credit !== 'acme') return false;
	if (except !== undefined && row.kind === except) return false;
	if (reference !== undefined && row.reference !== reference) return false;
	const isSide = username === undefined || [row.debit, row.credit, row.aboutUsername].includes(username);
	return isSide && (kind === undefined || row.kind === kind) && row.atMs >= fromMs && row.atMs < toMs;
}

async function storedMovements({ rows }: OpenedEngine, reseller: string): Promise<readonly StoredMovement[]> {
	const sql = `SELECT id AS number, at_ms AS "atMs", kind, debit, credit, wanted_username AS "aboutUsername",
		reference
		FROM transfers WHERE reseller = '${reseller}' ORDER BY id`;
	return ((await rows(sql)) as StoredMovement[]).map((row) => ({
		...row,
		number: Number(row.number),
		atMs: Number(row.atMs),
	}));
}

/**
 * The numbers of all movements that a search finds in its steps. All movements are fewer than one step looks at, so every
 * step but the last is full.
 */
async function numbersOf(
	limit: number,
	step: (from?: number) => Promise<readonly [rows: readonly StoredMovement[], next: number | null]>,
): Promise<readonly number[]> {
	const found: number[] = [];
	for (let from: number | null | undefined; from !== null; ) {
		const [rows, next]: Awaited<ReturnType<typeof step>> = await step(from);
		assert.ok(rows.length === limit || (rows.length < limit && next === null), 'a step is not full');
		assert.notEqual(next, from);
		found.push(...rows.map(({ number }) => number));
		from = next;
	}
	return found;
}
