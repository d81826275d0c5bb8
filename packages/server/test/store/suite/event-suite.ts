import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { createBank } from '../../../src/bank/bank.ts';
import { createJudging } from '../../../src/bank/judging.ts';
import type { Command } from '../../../src/commands/registry.ts';
import type { Store } from '../../../src/store/store.ts';
import type { StoredEvent } from '../../../src/store/tables/events/events.ts';
import {
	createReseller,
	createSubUser,
	createSubUserWith,
	creditReseller,
	deleteSubUser,
	forgetEvents,
	giveBalance,
	NOON_MS,
	postUsage,
	resetAuthKey,
	setLimits,
	setPrice,
	suspendReseller,
	suspendSubUser,
	takeBalance,
} from '../../support/commands.ts';
import { type Engine, endings, type OpenedEngine, record, run, runAll } from './engine.ts';
import { createEventModel, type ExpectedEvent, type ModelLimits } from './event-model.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RUNS = process.env.BURSAR_TEST_FAULTS === 'long' ? 400 : 15;

const NAMES = ['alice', 'bruno', 'chiara', 'dora'];
const name = fc.constantFrom(...NAMES);
const cents = fc.constantFrom(1, 5, 50, 100);
const limit = fc.constantFrom(undefined, null, 1, 1_000, 5_000_000);

interface LimitsInStep {
	readonly limits: ModelLimits;
	readonly endsInMs: number | null;
}

type Step =
	| { readonly kind: 'create' | 'delete' | 'suspend' | 'resume' | 'reset_key'; readonly name: string }
	| { readonly kind: 'give' | 'take'; readonly name: string; readonly cents: number }
	| { readonly kind: 'credit'; readonly cents: number }
	| ({ readonly kind: 'limit'; readonly name: string } & LimitsInStep)
	| ({ readonly kind: 'create_with'; readonly name: string; readonly cents: number } & LimitsInStep)
	| { readonly kind: 'price'; readonly microUsdPerGb: number | null }
	| { readonly kind: 'use'; readonly name: string; readonly bytes: number; readonly lateMs: number }
	| { readonly kind: 'wait'; readonly ms: number }
	| { readonly kind: 'post' | 'look' };

const limits = {
	limits: fc.record({ dayBytes: limit, monthBytes: limit, totalBytes: limit }),
	endsInMs: fc.constantFrom(null, -1, 1, 10_000, DAY_MS),
};

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('create', 'suspend', 'resume', 'reset_key'), name }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), name }) },
	{ weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('give', 'take'), name, cents }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('credit'), cents: fc.constantFrom(-100, 1, 700) }) },
	{
		weight: 3,
		arbitrary: fc.record({ kind: fc.constant('limit'), name, ...limits }),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('create_with'),
			name,
			cents: fc.constantFrom(0, 1, 100, 700),
			...limits,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('price'),
			microUsdPerGb: fc.constantFrom(null, 1, 3_500_000, 1_000_000_000),
		}),
	},
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constant('use'),
			name,
			bytes: fc.constantFrom(1, 999, 1_000, 4_000_000, 1_000_000_000),
			lateMs: fc.constantFrom(0, 1, HOUR_MS, 30 * HOUR_MS),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.constantFrom(1, HOUR_MS, -HOUR_MS, DAY_MS, 11 * DAY_MS) }),
	},
	{ weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('post', 'look') }) },
);

const FIRST: readonly Step[] = [
	{ kind: 'create', name: 'alice' },
	{ kind: 'give', name: 'alice', cents: 50 },
	{ kind: 'price', microUsdPerGb: 1_000_000 },
	{ kind: 'create', name: 'bruno' },
];

/** Tests the log of events: what is told, in which order and with which numbers. */
export function eventSuite(engine: Engine): void {
	test('every change, posting, look and step of the clock tells what the model says, and nothing else', async (t) => {
		const opened = await engine.open(t);
		let runs = 0;
		const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 50 }), async (steps) => {
			await follow(opened, [...FIRST, ...steps], `run${runs++}.`);
		});
		await fc.assert(property, { seed: printedSeed(t), numRuns: RUNS });
	});

	test('numbers have no gap and grow with commits, whatever runs at once through several processes', async (t) => {
		const opened = await engine.open(t);
		const stores = [opened.store, await opened.openAnother()];
		await runAll(opened.store, [createReseller('acme', 1_000), createReseller('other', 1_000)]);
		const names = Array.from({ length: 30 }, (_, index) => `user${index}`);
		await Promise.all(
			names.map(async (username, index) => {
				const store = stores[index % 2] as Store;
				const reseller = index % 3 === 0 ? 'other' : 'acme';
				await runAll(store, [createSubUser(reseller, username)]);
				// The second fails alone, and tells nothing.
				await run(store, [suspendSubUser(reseller, username), suspendSubUser(reseller, 'nobody1')]);
			}),
		);
		for (const reseller of ['acme', 'other']) {
			const events = await eventsOf(opened.store, reseller);
			assert.deepEqual(
				events.map(({ number }) => number),
				events.map((_, index) => index + 1),
			);
			assert.equal(events.length, reseller === 'acme' ? 60 : 30);
			assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
			assert.ok(events.every(({ id }) => /^evt_[0-9A-Za-z]{22}$/.test(id)));
		}
	});

	test('a batch tells what holds at its end, and a change with an id is told once', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 1_000), setPrice('acme', 1_000_000), createSubUser('acme', 'alice')]);
		const give = { ...giveBalance('acme', 'alice', 5), changeId: 'change-number-01' };
		await run(store, [give, takeBalance('acme', 'alice', 5), give]);
		assert.deepEqual(
			(await eventsOf(store, 'acme')).map(({ type }) => type),
			['sub_user.created'],
		);
		await run(store, [{ ...give, changeId: 'change-number-02' }]);
		await run(store, [{ ...give, changeId: 'change-number-02' }]);
		const [, usable, ...others] = await eventsOf(store, 'acme');
		assert.deepEqual(others, []);
		assert.deepEqual([usable?.type, usable?.changeId], ['sub_user.usable', 'change-number-02']);
	});

	test('a sub-user that is created with a balance, which is taken in the same batch, is told to be exhausted', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 1_000), setPrice('acme', 1_000_000)]);
		const create = createSubUserWith('acme', 'alice', { amountCents: 5 });
		await runAll(store, [
			create,
			takeBalance('acme', 'alice', 5),
			createSubUserWith('acme', 'bruno', { amountCents: 5 }),
		]);
		assert.deepEqual(
			(await eventsOf(store, 'acme')).map(({ type, username, data }) => [type, username, JSON.parse(data)]),
			[
				['sub_user.created', 'alice', { usable: true, reason: null }],
				['sub_user.created', 'bruno', { usable: true, reason: null }],
				['sub_user.unusable', 'alice', { reason: 'exhausted' }],
			],
		);
	});

	test('old events are forgotten in steps, the oldest first; numbers go on', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 100_000), createSubUser('acme', 'alice')]);
		const resets = Array.from({ length: 700 }, () => resetAuthKey('acme', 'alice'));
		await runAll(store, resets, NOON_MS + 1);
		await runAll(store, resets.slice(0, 5), NOON_MS + DAY_MS);
		const look = async (after = 0) => {
			const { events: _, ...log } = (await store.readEvents({ reseller: 'acme', after, limit: 1 })) ?? { events: [] };
			return log;
		};
		assert.deepEqual(await store.listForgetful(NOON_MS, 10), []);
		assert.deepEqual(await store.listForgetful(NOON_MS + 2, 10), ['acme']);
		await runAll(store, [forgetEvents('acme', NOON_MS + 2)]);
		assert.deepEqual(await look(), { newest: 706, oldest: 501, idAt: null });
		await runAll(store, [forgetEvents('acme', NOON_MS + 2)]);
		assert.deepEqual(await store.listForgetful(NOON_MS + 2, 10), []);
		assert.deepEqual(await look(), { newest: 706, oldest: 702, idAt: null });
		await runAll(store, [forgetEvents('acme', NOON_MS + 2 * DAY_MS), resetAuthKey('acme', 'alice')], NOON_MS + DAY_MS);
		const [last] = await eventsOf(store, 'acme');
		assert.deepEqual(await look(707), { newest: 707, oldest: 707, idAt: last?.id });
		const nobodies = Array.from({ length: 300 }, (_, index) => `nobody${index}`);
		assert.deepEqual(await store.listNewestEvents([...nobodies, 'acme']), new Map([['acme', 707]]));
		assert.equal(await store.readEvents({ reseller: 'alice', after: 0, limit: 1 }), undefined);
	});

	test('events that were written after the clock was set back are forgotten without a gap', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 100_000), createSubUser('acme', 'alice')]);
		for (const atMs of [NOON_MS + 2, NOON_MS, NOON_MS + 3]) await runAll(store, [resetAuthKey('acme', 'alice')], atMs);
		const keptSince = async (beforeMs: number) => {
			await runAll(store, [forgetEvents('acme', beforeMs)], NOON_MS + 3);
			return (await eventsOf(store, 'acme')).map(({ number }) => number);
		};
		assert.deepEqual(await keptSince(NOON_MS + 1), [2, 3, 4]);
		assert.deepEqual(await keptSince(NOON_MS + 3), [4]);
	});

	test('a limit that was just reached, and an end, are told soon, also if the first try fails', async (t) => {
		const { store } = await engine.open(t);
		const fromNow = (ms: number) => ({ expiresAtMs: store.nowMs() + ms });
		const alice = setLimits('acme', 'alice', { dayBytes: 1_000 });
		await runAll(store, [createReseller('acme', 100), createSubUser('acme', 'alice'), alice], store.nowMs());
		const failures: unknown[] = [];
		const bank = createBank(store, {
			observer: { batchDone() {}, fault() {}, used: (usernames) => judging.used(usernames) },
		});
		const judging = createJudging({
			store,
			bank: {
				async submit(command) {
					const isFirst = failures.length === 0 && 'usernames' in command && command.usernames.length > 0;
					return isFirst ? ({ ok: false, error: 'not_done' } as never) : bank.submit(command);
				},
			},
			eventsKeptMs: DAY_MS,
			failed: (cause) => failures.push(cause),
			done: () => {},
			lookMs: 20,
		});
		t.after(async () => {
			judging.close();
			await bank.stop();
		});
		const report = { source: 's', id: 'r1', username: 'alice', bytesUp: 600, bytesDown: 400 };
		assert.equal((await bank.recordUsage('s', [{ ...report, atMs: store.nowMs() }])).ok, true);
		const lastIs = (type: string, data: object) =>
			eventually(async () => {
				const last = (await eventsOf(store, 'acme')).at(-1);
				assert.deepEqual([last?.type, JSON.parse(last?.data ?? '{}'), last?.requestId], [type, data, null]);
			});
		await lastIs('sub_user.unusable', { reason: 'limit_reached' });
		assert.equal(failures.length, 1);
		await bank.submit(setLimits('acme', 'alice', fromNow(300)));
		await lastIs('sub_user.unusable', { reason: 'expired' });
	});

	test('a suspension of the reseller is told of it alone, and events of others are never read', async (t) => {
		const { store } = await engine.open(t);
		await runAll(store, [createReseller('acme', 100), createReseller('other', 100), createSubUser('acme', 'alice')]);
		await runAll(store, [suspendReseller('acme')]);
		assert.deepEqual(endings(await run(store, [giveBalance('acme', 'alice', 1)])), ['suspended']);
		const told = async (reseller: string) => (await eventsOf(store, reseller)).map(({ type }) => type);
		assert.deepEqual(await told('acme'), ['sub_user.created', 'reseller.suspended']);
		assert.deepEqual(await told('other'), []);
	});
}

async function eventsOf(store: Store, reseller: string, after = 0): Promise<readonly StoredEvent[]> {
	return (await store.readEvents({ reseller, after, limit: 1_000 }))?.events ?? [];
}

/** Does the steps in a store and in the model. All names begin with the prefix. */
async function follow({ store }: OpenedEngine, steps: readonly Step[], prefix: string): Promise<void> {
	const acme = `${prefix}acme`;
	const model = createEventModel(acme, 700);
	await runAll(store, [createReseller(acme, 700)]);
	let nowMs = NOON_MS;
	let seen = 0;
	let count = 0;
	/** As a process looks that was just started: at all that a look looks at. */
	const look = () =>
		new Promise<void>((done, failed) => {
			const judging = createJudging({
				store: { ...store, nowMs: () => nowMs },
				bank: { submit: async (command) => (await run(store, [command], nowMs))[0] as never },
				eventsKeptMs: 1_000 * DAY_MS,
				failed: (cause) => {
					judging.close();
					failed(cause);
				},
				done: () => {
					judging.close();
					done();
				},
			});
		});

	for (const each of steps) {
		nowMs += 1_000;
		const answers = async (command: Command, expected: boolean) => {
			const [outcome] = await run(store, [command], nowMs);
			assert.equal(outcome?.ok, expected, JSON.stringify([each, outcome]));
		};
		const named = 'name' in each ? prefix + each.name : acme;
		switch (each.kind) {
			case 'create':
				await answers(createSubUser(acme, named), model.create(named, nowMs));
				break;
			case 'delete':
				await answers(deleteSubUser(acme, named), model.delete(named, nowMs));
				break;
			case 'suspend':
				await answers(suspendSubUser(acme, named), model.setSuspended(named, true, nowMs));
				break;
			case 'resume':
				await answers(
					{ ...suspendSubUser(acme, named), kind: 'resume_sub_user' },
					model.setSuspended(named, false, nowMs),
				);
				break;
			case 'reset_key':
				await answers(resetAuthKey(acme, named), model.resetKey(named, nowMs));
				break;
			case 'give':
				await answers(giveBalance(acme, named, each.cents), model.give(named, each.cents, nowMs));
				break;
			case 'take':
				await answers(takeBalance(acme, named, each.cents), model.take(named, each.cents, nowMs));
				break;
			case 'credit': {
				const reference = `${prefix}${count++}`;
				await answers(creditReseller(acme, each.cents, reference), model.credit(each.cents, reference, nowMs));
				break;
			}
			case 'limit': {
				const limits = limitsIn(each, nowMs);
				await answers(setLimits(acme, named, limits), model.setLimits(named, limits, nowMs));
				break;
			}
			case 'create_with': {
				const { cents } = each;
				const limits = limitsIn(each, nowMs);
				const command = createSubUserWith(acme, named, { ...(cents > 0 && { amountCents: cents }), limits });
				await answers(command, model.createWith(named, cents, limits, nowMs));
				break;
			}
			case 'price':
				model.setPrice(each.microUsdPerGb, nowMs);
				await answers(setPrice(acme, each.microUsdPerGb), true);
				break;
			case 'post': {
				const overdrawn = model.overdrawn();
				model.post(overdrawn, nowMs);
				await answers(postUsage(acme, ...overdrawn), true);
				break;
			}
			case 'use': {
				const atMs = nowMs - each.lateMs;
				model.use(named, each.bytes, atMs);
				const report = { source: 's', id: `${prefix}${count++}`, username: named, atMs };
				await record(store, [{ ...report, bytesUp: each.bytes, bytesDown: 0 }], nowMs);
				break;
			}
			case 'wait':
				nowMs += each.ms;
				break;
			case 'look':
				model.look(nowMs);
				await look();
				break;
		}
		const events = await eventsOf(store, acme, seen);
		assert.deepEqual(
			events.map(({ number }) => number),
			events.map((_, index) => seen + index + 1),
		);
		assert.deepEqual(events.map(plain), model.events.splice(0), JSON.stringify(each));
		seen += events.length;
	}
}

/** Without the account after whose bandwidth something is owed: the model does not know it. */
function plain({ type, username, data, atMs, requestId }: StoredEvent): ExpectedEvent {
	const about = type === 'reseller.debt' ? null : username;
	return { type, username: about, data: JSON.parse(data), atMs, isAsked: requestId !== null };
}

function limitsIn({ limits, endsInMs }: LimitsInStep, nowMs: number) {
	const expiresAtMs = endsInMs === null ? null : nowMs + endsInMs;
	return Object.fromEntries(Object.entries({ ...limits, expiresAtMs }).filter(([, value]) => value !== undefined));
}
