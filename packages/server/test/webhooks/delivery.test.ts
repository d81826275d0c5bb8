import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { createBank } from '../../src/bank/bank.ts';
import type { Store } from '../../src/store/store.ts';
import { createWebhookDelivery, type DeliveryParts, type WebhookDelivery } from '../../src/webhooks/delivery.ts';
import type { Post, Posted } from '../../src/webhooks/post-event.ts';
import { postgresEngine } from '../store/postgres-engine.ts';
import { sqliteEngine } from '../store/sqlite-engine.ts';
import { type Engine, endings, run, runAll } from '../store/suite/engine.ts';
import {
	createReseller,
	createSubUser,
	createWebhook,
	creditReseller,
	deleteWebhook,
	forgetEvents,
	NOON_MS,
	rotateToken,
	rotateWebhookSecret,
	suspendSubUser,
	testWebhook,
	updateWebhook,
} from '../support/commands.ts';

const HOOK = 'whe_1';
const GOOD: Posted = { status: 200, retryAfterMs: undefined, answer: '', tookMs: 1 };
const BAD: Posted = { status: 500, retryAfterMs: undefined, answer: 'no', tookMs: 1 };
const LOOK_MS = 10;
const HOUR_MS = 3_600_000;

type Delivery = Parameters<Post>[0];

/** What was posted: the host, the number of the event, and its body. */
interface Received {
	readonly host: string;
	readonly number: number;
	readonly type: string;
	readonly delivery: Delivery;
}

/** A store with the reseller acme, processes that deliver, and a receiver that answers as the test says. */
async function open(t: TestContext, engine: Engine) {
	const opened = await engine.open(t);
	const clock = { nowMs: NOON_MS };
	const received: Received[] = [];
	const failures: string[] = [];
	const deliveries: WebhookDelivery[] = [];
	let answer: (each: Received) => Posted | Promise<Posted> = () => GOOD;
	t.after(() => Promise.all(deliveries.map((delivery) => delivery.stop())));
	await runAll(opened.store, [createReseller('acme', 10_000), createReseller('other', 10_000)]);

	function deliver(store: Store, owner = 'one', parts: Partial<DeliveryParts> = {}) {
		const timed: Store = new Proxy(store, {
			get: (_, name: keyof Store) => (name === 'nowMs' ? () => clock.nowMs : store[name]),
		});
		const delivery = createWebhookDelivery({
			store: timed,
			bank: createBank(timed, { observer: { batchDone() {}, fault() {} } }),
			async post(given) {
				const { number, type } = JSON.parse(given.body);
				const each = { host: new URL(given.url).host, number, type, delivery: given };
				received.push(each);
				return answer(each);
			},
			owner,
			ended() {},
			failed: (cause) => failures.push(String(cause)),
			lookMs: LOOK_MS,
			...parts,
		});
		deliveries.push(delivery);
		return delivery;
	}

	return {
		...opened,
		...{ clock, received, failures, deliver },
		answers(next: typeof answer) {
			answer = next;
		},
		credit: (...names: readonly string[]) =>
			runAll(
				opened.store,
				names.map((name) => creditReseller('acme', 5, name)),
				clock.nowMs,
			),
		numbers: (host?: string) => received.filter((each) => !host || each.host === host).map(({ number }) => number),
		/** Waits until the webhook has reached this event, and returns it. */
		reached: (number: number, id = HOOK) =>
			eventually(async () => {
				const found = (await opened.store.findWebhook(id))?.webhook;
				assert.equal(found?.reached.number, number, failures.join());
				return found;
			}),
		/** Waits until the webhook is off, or on. */
		offReason: (reason: string | null, id = HOOK) =>
			eventually(async () => {
				const found = await opened.store.findWebhook(id);
				assert.equal(found?.webhook.offReason, reason, failures.join());
				assert.equal(found?.leaseOwner, null);
			}),
	};
}

for (const engine of [sqliteEngine, await postgresEngine()]) {
	test(`${engine.name}: events arrive in order, signed, with what the log has; no event of a batch that failed does`, async (t) => {
		const { store, received, numbers, reached, deliver, credit } = await open(t, engine);
		await runAll(store, [createWebhook('acme', HOOK)]);
		await credit('a', 'b', 'c');
		deliver(store);
		await reached(3);
		// Its event has the next number, until it turns out that another reseller has this token.
		const taken = rotateToken('acme', 'first token of other', 0);
		assert.deepEqual(endings(await run(store, [taken])), ['rules_failed']);
		await credit('d');
		await reached(4);
		assert.deepEqual(numbers(), [1, 2, 3, 4]);
		const log = await store.readEvents({ reseller: 'acme', after: 0, limit: 9 });
		for (const [index, { delivery }] of received.entries()) {
			const event = log?.events[index];
			assert.equal(delivery.headers['webhook-id'], event?.id);
			assert.match(delivery.headers['webhook-signature'] ?? '', /^v1,\S+$/);
			const { id, at, data } = JSON.parse(delivery.body);
			assert.deepEqual([id, at, JSON.stringify(data)], [event?.id, '2026-11-21T12:00:00.000Z', event?.data]);
		}
		await runAll(store, [rotateWebhookSecret('acme', HOOK, 'second')], store.nowMs());
		await credit('e');
		await reached(5);
		assert.match(received.at(-1)?.delivery.headers['webhook-signature'] ?? '', /^v1,\S+ v1,\S+$/, 'both sign');
	});

	test(`${engine.name}: what fails is sent again when its wait is over, and nothing overtakes it`, async (t) => {
		const { store, clock, numbers, reached, deliver, credit, answers } = await open(t, engine);
		await runAll(store, [createWebhook('acme', HOOK), createWebhook('acme', 'whe_2')]);
		await credit('a', 'b');
		answers(({ host, number }) => (host.startsWith(HOOK) && number === 1 ? BAD : GOOD));
		deliver(store);
		await reached(2, 'whe_2');
		const failedOnce = async (times: number) => {
			const found = (await store.findWebhook(HOOK))?.webhook;
			assert.deepEqual([found?.failedTries, found?.reached.number], [times, 0]);
		};
		await eventually(() => failedOnce(1));
		clock.nowMs += 4_999;
		await credit('c');
		await reached(3, 'whe_2');
		assert.deepEqual(numbers(`${HOOK}.example.com`), [1]);
		clock.nowMs += 1_002;
		await eventually(() => failedOnce(2));
		answers(() => GOOD);
		clock.nowMs += HOUR_MS;
		await reached(3);
		assert.deepEqual(numbers(`${HOOK}.example.com`), [1, 1, 1, 2, 3]);
		assert.equal((await store.findWebhook(HOOK))?.webhook.failingSinceMs, null);
		const tries = await store.listWebhookTries('acme', HOOK);
		assert.deepEqual(
			tries?.map(({ status }) => status),
			[200, 200, 200, 500, 500],
		);
	});

	test(`${engine.name}: a webhook that fails for three days, or answers 410, is switched off and keeps its place`, async (t) => {
		const { store, clock, reached, numbers, deliver, credit, answers, offReason } = await open(t, engine);
		await runAll(store, [createWebhook('acme', HOOK), createWebhook('acme', 'whe_2')]);
		await credit('a', 'b');
		answers(({ host }) => (host.startsWith(HOOK) ? BAD : { ...BAD, status: 410 }));
		deliver(store);
		await offReason('gone', 'whe_2');
		for (let failed = 1; ; failed++) {
			const off = await eventually(async () => {
				const found = (await store.findWebhook(HOOK))?.webhook;
				assert.ok(found?.offReason || found?.failedTries === failed);
				return found.offReason;
			});
			if (off) break;
			clock.nowMs += 8 * HOUR_MS * 1.2;
		}
		await offReason('failing');
		assert.ok(clock.nowMs - NOON_MS >= 72 * HOUR_MS);
		answers(() => GOOD);
		await runAll(store, [updateWebhook('acme', HOOK, { isEnabled: true })], clock.nowMs);
		await reached(2);
		assert.deepEqual(numbers(`${HOOK}.example.com`).slice(-2), [1, 2]);
		assert.deepEqual(numbers('whe_2.example.com'), [1]);
	});

	test(`${engine.name}: another URL is tried at once, also if a try of the previous one fails after the change`, async (t) => {
		const { store, clock, numbers, reached, deliver, credit, answers } = await open(t, engine);
		await runAll(store, [createWebhook('acme', HOOK)]);
		await credit('a');
		const held = Promise.withResolvers<Posted>();
		answers(({ host }) => (host.startsWith(HOOK) ? held.promise : GOOD));
		deliver(store);
		await eventually(async () => assert.deepEqual(numbers(), [1]));
		clock.nowMs += 1;
		await runAll(store, [updateWebhook('acme', HOOK, { url: 'https://repaired.example.com/' })], clock.nowMs);
		held.resolve(BAD);
		await reached(1);
		assert.deepEqual(numbers('repaired.example.com'), [1]);
		const tries = await store.listWebhookTries('acme', HOOK);
		assert.deepEqual(
			tries?.map(({ status }) => status),
			[200, 500],
		);
	});

	test(`${engine.name}: types that a webhook does not want are passed, also by the hundred`, async (t) => {
		const { store, numbers, reached, deliver, credit } = await open(t, engine);
		await runAll(store, [createWebhook('acme', HOOK, { types: ['sub_user.created', 'sub_user.suspended'] })]);
		await credit(...Array.from({ length: 250 }, (_, n) => `credit ${n}`));
		await runAll(store, [createSubUser('acme', 'alice')]);
		await credit('between');
		await runAll(store, [suspendSubUser('acme', 'alice')]);
		await credit('last');
		deliver(store);
		const { newest } = (await store.readEvents({ reseller: 'acme', after: 0, limit: 1 })) ?? {};
		await reached(newest ?? 0);
		assert.deepEqual(numbers().length, 2);
		assert.equal((await store.listWebhookTries('acme', HOOK))?.length, 2);
	});

	test(`${engine.name}: an event that happens after a change of the types is judged by the new ones`, async (t) => {
		const { store, numbers, reached, deliver, credit } = await open(t, engine);
		await runAll(store, [createWebhook('acme', HOOK, { types: ['sub_user.created'] })]);
		await credit('a');
		let isChanged = false;
		const changing: Store = new Proxy(store, {
			get(_, name: keyof Store) {
				if (name !== 'readEvents' || isChanged) return store[name];
				isChanged = true;
				return async (query: Parameters<Store['readEvents']>[0]) => {
					await runAll(store, [updateWebhook('acme', HOOK, { types: null })]);
					await credit('b');
					return store.readEvents(query);
				};
			},
		});
		deliver(changing);
		await reached(2);
		assert.equal(numbers().at(-1), 2);
	});

	test(`${engine.name}: if the log has not what comes next, the webhook is switched off and wants a position`, async (t) => {
		const { store, corrupt, numbers, reached, deliver, credit, offReason } = await open(t, engine);
		await runAll(store, [createWebhook('acme', HOOK)]);
		await credit('a', 'b', 'c');
		await runAll(store, [forgetEvents('acme', NOON_MS + 1)]);
		await runAll(store, [createWebhook('acme', 'whe_2')]);
		// As after a restore.
		await corrupt("UPDATE webhook_endpoints SET reached_number = 9 WHERE id = 'whe_2'");
		deliver(store);
		await offReason('events_expired');
		await offReason('events_rewound', 'whe_2');
		assert.deepEqual(numbers(), []);
		await runAll(store, [updateWebhook('acme', HOOK, { isEnabled: true, position: { number: 3 } })]);
		await credit('d');
		await reached(4);
		assert.deepEqual(numbers(), [4]);
	});

	test(`${engine.name}: a test is one try between two events, also if the webhook is off`, async (t) => {
		const { store, received, numbers, deliver, credit, answers } = await open(t, engine);
		await runAll(store, [createWebhook('acme', HOOK), updateWebhook('acme', HOOK, { isEnabled: false })]);
		await credit('a');
		answers(() => BAD);
		await runAll(store, [testWebhook('acme', HOOK)]);
		deliver(store);
		await eventually(async () => assert.equal((await store.listWebhookTries('acme', HOOK))?.length, 1));
		const [tried] = (await store.listWebhookTries('acme', HOOK)) ?? [];
		assert.deepEqual([tried?.eventNumber, tried?.eventType, tried?.status], [0, 'webhook.test', 500]);
		const [{ delivery } = assert.fail()] = received;
		assert.deepEqual(Object.keys(JSON.parse(delivery.body)), ['id', 'number', 'type', 'at', 'data']);
		const { webhook } = (await store.findWebhook(HOOK)) ?? assert.fail();
		assert.deepEqual([webhook.failedTries, webhook.testAtMs, webhook.offReason], [0, null, 'switched_off']);
		assert.deepEqual(numbers(), [0]);
	});

	test(`${engine.name}: a slow receiver holds up only its own webhook, and a deleted webhook gets nothing more`, async (t) => {
		const { store, numbers, reached, deliver, credit, answers } = await open(t, engine);
		await runAll(store, [createWebhook('acme', HOOK), createWebhook('acme', 'whe_2')]);
		const held = Promise.withResolvers<Posted>();
		answers(({ host }) => (host.startsWith(HOOK) ? held.promise : GOOD));
		deliver(store);
		await credit('a', 'b');
		await reached(2, 'whe_2');
		assert.deepEqual(numbers(`${HOOK}.example.com`), [1]);
		await runAll(store, [deleteWebhook('acme', HOOK)]);
		held.resolve(GOOD);
		await credit('c');
		await reached(3, 'whe_2');
		assert.deepEqual(numbers(`${HOOK}.example.com`), [1]);
		assert.equal(await store.findWebhook(HOOK), undefined);
	});

	test(`${engine.name}: a service that stops cuts what is under way, gives it back, and another one sends it`, async (t) => {
		const { store, numbers, reached, deliver, credit, answers } = await open(t, engine);
		await runAll(store, [createWebhook('acme', HOOK)]);
		await credit('a');
		answers(
			({ delivery: { signal } }) =>
				new Promise((resolve) =>
					signal.addEventListener('abort', () => resolve({ failure: 'stopped', message: '', tookMs: 1 })),
				),
		);
		const stopping = deliver(store, 'one', { stopMs: 10 });
		await eventually(async () => assert.deepEqual(numbers(), [1]));
		await stopping.stop();
		const found = await store.findWebhook(HOOK);
		assert.deepEqual([found?.leaseOwner, found?.webhook.failedTries, found?.webhook.reached.number], [null, 0, 0]);
		answers(() => GOOD);
		deliver(store, 'two');
		await reached(1);
		assert.deepEqual(numbers(), [1, 1]);
		assert.equal((await store.listWebhookTries('acme', HOOK))?.length, 1);
	});

	test(`${engine.name}: a process that dies in a try is followed by another one when its lease is over`, async (t) => {
		const { store, openAnother, clock, numbers, reached, deliver, credit, answers } = await open(t, engine);
		await runAll(store, [createWebhook('acme', HOOK)]);
		await credit('a', 'b');
		// The first process never hears how its try ended.
		answers(() => new Promise(() => {}));
		const dead = deliver(store, 'dead', { stopMs: 10 });
		dead.stop = async () => {};
		await eventually(async () => assert.deepEqual(numbers(), [1]));
		answers(() => GOOD);
		deliver(await openAnother(), 'two');
		clock.nowMs += 29_999;
		await credit('c');
		assert.deepEqual(numbers(), [1]);
		clock.nowMs += 1;
		await reached(3);
		assert.deepEqual(numbers(), [1, 1, 2, 3]);
	});

	test(`${engine.name}: two processes share webhooks, and each event is sent once`, async (t) => {
		const { store, openAnother, numbers, reached, deliver, credit } = await open(t, engine);
		const hooks = Array.from({ length: 5 }, (_, n) => `whe_${n}`);
		await runAll(
			store,
			hooks.map((id) => createWebhook('acme', id)),
		);
		// Short turns, so that webhooks change hands.
		deliver(store, 'one', { turnMs: 5 });
		deliver(await openAnother(), 'two', { turnMs: 5 });
		for (let n = 0; n < 20; n++) await credit(`${n} a`, `${n} b`);
		for (const id of hooks) await reached(40, id);
		const all = Array.from({ length: 40 }, (_, n) => n + 1);
		for (const id of hooks) assert.deepEqual(numbers(`${id}.example.com`), all);
	});
}
