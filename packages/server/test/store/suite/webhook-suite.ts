import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEPT_TRIES, type WebhookTry } from '../../../src/domain/webhooks/record.ts';
import { decideTry, keptOutcome, type TryOutcome } from '../../../src/domain/webhooks/try.ts';
import type { Store } from '../../../src/store/store.ts';
import {
	createReseller,
	createWebhook,
	creditReseller,
	deleteWebhook,
	forgetEvents,
	NOON_MS,
	rotateWebhookSecret,
	switchOffWebhook,
	testWebhook,
	updateWebhook,
	webhookSecret,
} from '../../support/commands.ts';
import { accept, invite } from '../../support/person-commands.ts';
import { type Engine, endings, keep, keepAll, restart, run, runAll, runAllPeople, runPeople } from './engine.ts';

const LEASE_MS = 30_000;
const DAY_MS = 86_400_000;
const HOOK = 'whe_1';
const GOOD: TryOutcome = { status: 204, answer: 'thanks', tookMs: 12 };
const BAD: TryOutcome = { failure: 'connection', message: 'The connection failed.', tookMs: 9 };

/** Tests webhooks: what resellers change, who delivers, and what becomes of tries. */
export function webhookSuite(engine: Engine): void {
	test('a webhook begins behind the newest event, has its secret sealed, and is there after a restart', async (t) => {
		const { store, openAnother, rows } = await openWithEvents(engine, t, 2);
		await runAll(store, [createWebhook('acme', HOOK, { types: ['sub_user.deleted', 'reseller.credited'] })]);
		const [sealed] = (await rows('SELECT * FROM webhook_endpoints')) as readonly object[];
		assert.doesNotMatch(JSON.stringify(sealed), new RegExp(webhookSecret(HOOK)));
		const after = await restart(store, openAnother);
		const [webhook, ...others] = await after.listWebhooks('acme');
		assert.deepEqual(others, []);
		const id = (await after.readEvents({ reseller: 'acme', after: 1, limit: 1 }))?.events[0]?.id;
		assert.deepEqual(webhook, {
			...{ id: HOOK, reseller: 'acme', url: `https://${HOOK}.example.com/events`, offReason: null },
			...{ types: ['sub_user.deleted', 'reseller.credited'], reached: { number: 2, id } },
			...{ failingSinceMs: null, failedTries: 0, nextAtMs: NOON_MS, testAtMs: null, createdAtMs: NOON_MS },
			...{ newestEvent: 2, eventsBehind: 0 },
		});
		assert.deepEqual((await after.findWebhook(HOOK))?.secrets, [webhookSecret(HOOK)]);
		assert.deepEqual(await after.listWebhookTries('acme', HOOK), []);
		assert.deepEqual(await after.listWebhooks('other'), []);
		assert.equal(await after.listWebhookTries('other', HOOK), undefined);
		assert.equal(await after.findWebhook('whe_2'), undefined);
	});

	test('a reseller has five webhooks at most, also over several processes, and changes only its own', async (t) => {
		const { store, openAnother } = await openWithEvents(engine, t, 1);
		const stores = [store, await openAnother()];
		const outcomes = await Promise.all(
			Array.from({ length: 8 }, (_, n) => run(stores[n % 2] as Store, [createWebhook('acme', `whe_${n}`)])),
		);
		assert.deepEqual(endings(outcomes.flat()).sort(), [...Array(5).fill('ok'), ...Array(3).fill('too_many_webhooks')]);
		const [{ id = '' } = {}] = await store.listWebhooks('acme');
		const strange = [
			...[updateWebhook('other', id, { isEnabled: false }), deleteWebhook('other', id)],
			...[rotateWebhookSecret('other', id, 'x'), testWebhook('other', id)],
		];
		assert.deepEqual(endings(await run(store, strange)), Array(4).fill('unknown_webhook'));
		await runAll(store, [deleteWebhook('acme', id), createWebhook('acme', 'whe_9'), createWebhook('other', 'whe_8')]);
		assert.equal((await store.listWebhooks('acme')).length, 5);
		assert.equal((await store.listWebhooks('other')).length, 1);
	});

	test('operators see the worst webhooks first, page by page in both directions, of all resellers or of some', async (t) => {
		const { store } = await openWithEvents(engine, t, 0);
		await runAll(store, [
			...['whe_behind', 'whe_off', 'whe_gone', HOOK].map((id) => createWebhook('acme', id)),
			...[createWebhook('other', 'whe_at_end'), creditReseller('acme', 5, 'a')],
			...[updateWebhook('acme', 'whe_off', { isEnabled: false }), switchOffWebhook('acme', 'whe_gone')],
		]);
		await lease(store, 'one');
		await end(store, 'one', BAD);
		const list = async (more: Partial<Parameters<Store['listWorstWebhooks']>[0]> = {}) =>
			store.listWorstWebhooks({ search: '', after: undefined, backwards: false, limit: 9, ...more });
		const ids = (webhooks: Awaited<ReturnType<typeof list>>) => webhooks.map(({ id }) => id);
		const all = await list();
		assert.deepEqual(ids(all), ['whe_gone', HOOK, 'whe_behind', 'whe_at_end', 'whe_off']);
		assert.deepEqual(
			all.map(({ eventsBehind }) => eventsBehind),
			[1, 1, 1, 0, 1],
		);
		assert.deepEqual(ids(await list({ search: 'oth' })), ['whe_at_end']);
		assert.deepEqual(ids(await list({ search: '%' })), []);
		for (const [index, after] of all.entries()) {
			assert.deepEqual(ids(await list({ after })), ids(all).slice(index + 1));
			assert.deepEqual(
				ids(await list({ after, backwards: true, limit: 2 })),
				ids(all).slice(0, index).reverse().slice(0, 2),
			);
		}
	});

	test('a change with an id is made once, and an act of a program is recorded', async (t) => {
		const { store, rows } = await openWithEvents(engine, t, 1);
		const program = { tokenTail: 'tail', address: '192.0.2.1' };
		const create = { ...createWebhook('acme', HOOK, { changeId: 'change-number-00' }), program, requestId: 'r1' };
		assert.deepEqual(endings(await run(store, [create, create, { ...create, id: 'whe_2' }])), [
			...['ok', 'change_repeated', 'change_repeated'],
		]);
		const change = await store.findChange('acme', 'change-number-00');
		assert.deepEqual([change?.kind, change?.username, change?.amountCents], ['create_webhook', null, null]);
		assert.deepEqual((await run(store, [updateWebhook('acme', HOOK, { isEnabled: true })]))[0]?.ok, true);
		assert.equal((await store.listWebhooks('acme')).length, 1);
		assert.deepEqual(await rows('SELECT id, kind, target, token_tail FROM acts'), [
			{ id: 'r1', kind: 'create_webhook', target: HOOK, token_tail: 'tail' },
		]);
	});

	test('one process at a time delivers, until its lease is over; nobody else moves the webhook', async (t) => {
		const { store, openAnother } = await openWithEvents(engine, t, 0);
		await runAll(store, [createWebhook('acme', HOOK), creditReseller('acme', 5, 'a'), creditReseller('acme', 5, 'b')]);
		const another = await openAnother();
		await Promise.all([lease(store, 'one'), lease(another, 'two')]);
		const { leaseOwner } = (await store.findWebhook(HOOK)) ?? {};
		const [owner, loser] = leaseOwner === 'one' ? ['one', 'two'] : ['two', 'one'];
		assert.equal(leaseOwner, owner);
		assert.deepEqual(await due(store, loser), []);
		assert.deepEqual(await due(another, owner), [HOOK]);
		await end(another, loser, GOOD);
		assert.deepEqual(await reached(store), 0);
		await end(another, owner, GOOD);
		assert.deepEqual(await reached(store), 1);
		// What it says late, of a place that it has left, counts no more.
		await end(store, owner, BAD, { from: 0 });
		assert.deepEqual(await reached(store), 1);
		assert.equal((await store.listWebhookTries('acme', HOOK))?.length, 1);
		const laterMs = NOON_MS + LEASE_MS;
		assert.deepEqual(await due(store, loser, laterMs), [HOOK]);
		await lease(store, loser, laterMs);
		await end(store, owner, GOOD, { atMs: laterMs });
		assert.deepEqual(await reached(store), 1);
		await keepAll(store, [{ kind: 'webhook_release', id: HOOK, owner }], laterMs);
		assert.equal((await store.findWebhook(HOOK))?.leaseOwner, loser);
		await keepAll(store, [{ kind: 'webhook_release', id: HOOK, owner: loser }], laterMs);
		assert.deepEqual(await due(store, owner, laterMs), [HOOK]);
	});

	test('a lease and a wait from before the clock was set back hold nothing up', async (t) => {
		const { store } = await openWithEvents(engine, t, 0);
		await runAll(store, [createWebhook('acme', HOOK), creditReseller('acme', 5, 'a')], NOON_MS + 365 * DAY_MS);
		await lease(store, 'one', NOON_MS + 365 * DAY_MS);
		assert.deepEqual(await due(store, 'two'), [HOOK]);
		await lease(store, 'two');
		assert.equal((await store.findWebhook(HOOK))?.leaseOwner, 'two');
	});

	test('the last 50 tries are kept, the newest first, with what came of each', async (t) => {
		const { store } = await openWithEvents(engine, t, 0);
		await runAll(store, [createWebhook('acme', HOOK), creditReseller('acme', 5, 'a')]);
		await lease(store, 'one');
		for (let n = 0; n < KEPT_TRIES + 3; n++) await end(store, 'one', { ...BAD, tookMs: n });
		await end(store, 'one', GOOD);
		const tries = (await store.listWebhookTries('acme', HOOK)) ?? [];
		assert.equal(tries.length, KEPT_TRIES);
		assert.deepEqual(
			tries.map(({ tookMs }) => tookMs),
			[12, ...Array.from({ length: KEPT_TRIES - 1 }, (_, n) => KEPT_TRIES + 2 - n)],
		);
		const [first, second] = tries;
		const event = { eventNumber: 1, eventType: 'reseller.credited', atMs: NOON_MS };
		assert.deepEqual(first, {
			...event,
			eventId: first?.eventId,
			status: 204,
			failure: null,
			tookMs: 12,
			answer: 'thanks',
		});
		assert.deepEqual(second?.failure, 'connection');
		await runAll(store, [deleteWebhook('acme', HOOK), createWebhook('acme', HOOK)]);
		assert.deepEqual(await store.listWebhookTries('acme', HOOK), []);
	});

	test('a failed try waits, and another URL or position ends the wait; what it wants moves without a try', async (t) => {
		const { store } = await openWithEvents(engine, t, 0);
		await runAll(store, [createWebhook('acme', HOOK), creditReseller('acme', 5, 'a'), creditReseller('acme', 5, 'b')]);
		await lease(store, 'one');
		await end(store, 'one', BAD);
		assert.deepEqual(await due(store, 'one'), []);
		assert.deepEqual(await due(store, 'one', NOON_MS + 5_000), [HOOK]);
		assert.deepEqual((await store.readState()).webhooks, {
			...{ on: 0, failing: 1, switchedOff: 0, copied: 0, off: 0, eventsBehind: 2, mostEventsBehind: 2 },
		});
		await runAll(store, [updateWebhook('acme', HOOK, { url: 'https://new.example.com/' })]);
		assert.deepEqual(await due(store, 'one'), [HOOK]);
		await keepAll(store, [
			{ kind: 'webhook_pass', id: HOOK, owner: 'one', from: 0, reached: { number: 2, id: 'evt_x' } },
			{ kind: 'webhook_pass', id: HOOK, owner: 'one', from: 0, reached: { number: 1, id: 'evt_y' } },
		]);
		assert.deepEqual((await store.listWebhooks('acme'))[0]?.reached, { number: 2, id: 'evt_x' });
		await runAll(store, [updateWebhook('acme', HOOK, { position: { number: 1 } })]);
		assert.deepEqual(await due(store, 'one'), [HOOK]);
		assert.match((await store.listWebhooks('acme'))[0]?.reached.id ?? '', /^evt_.{22}$/, 'the place is guarded');
	});

	test('resellers take turns, and among equals the one that waits longest comes first', async (t) => {
		const { store } = await openWithEvents(engine, t, 0);
		const many = ['whe_1', 'whe_2', 'whe_3'].map((id) => createWebhook('acme', id));
		await runAll(store, [...many, creditReseller('acme', 5, 'a')]);
		await runAll(store, [createWebhook('other', 'whe_o'), creditReseller('other', 5, 'b')], NOON_MS + 1);
		assert.deepEqual(await due(store, 'one', NOON_MS + 1), ['whe_1', 'whe_o', 'whe_2', 'whe_3']);
		await lease(store, 'one', NOON_MS + 1, 'whe_1');
		await keepAll(store, [{ kind: 'webhook_release', id: 'whe_1', owner: 'one' }], NOON_MS + 2);
		assert.deepEqual(await due(store, 'one', NOON_MS + 2, 3), ['whe_2', 'whe_o', 'whe_3']);
	});

	test('for a day after a change of the secret, the previous one signs too', async (t) => {
		const { store } = await openWithEvents(engine, t, 0);
		const nowMs = store.nowMs();
		await runAll(store, [createWebhook('acme', HOOK)], nowMs);
		const secrets = async () => (await store.findWebhook(HOOK))?.secrets;
		await runAll(store, [rotateWebhookSecret('acme', HOOK, 'second')], nowMs);
		assert.deepEqual(await secrets(), [webhookSecret('second'), webhookSecret(HOOK)]);
		await runAll(store, [rotateWebhookSecret('acme', HOOK, 'third')], nowMs - DAY_MS);
		assert.deepEqual(await secrets(), [webhookSecret('third')]);
	});

	test('who is switched off is told by mail once, with the host of the URL only, and stays where it stood', async (t) => {
		const { store } = await openWithEvents(engine, t, 0);
		await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1')]);
		await keep(store, [{ kind: 'mail_setup', isOn: true }]);
		await runAll(store, [createWebhook('acme', HOOK), creditReseller('acme', 5, 'a')]);
		const off = switchOffWebhook('acme', HOOK);
		// The reseller has changed something meanwhile.
		await runAll(store, [{ ...off, url: 'https://before.example.com' }, switchOffWebhook('acme', 'whe_gone')]);
		assert.equal((await store.listWebhooks('acme'))[0]?.offReason, null);
		await runAll(store, [off, off]);
		const [taken] = await runPeople(store, [{ kind: 'take_mails' }]);
		assert.ok(taken && 'mails' in taken);
		assert.deepEqual(
			taken.mails.map(({ person, mail, noticeLines }) => ({ person, mail, notice: JSON.parse(noticeLines) })),
			[
				{
					...{ person: 'ada', mail: 'webhook_off' },
					notice: { webhook: HOOK, host: 'whe_1.example.com', reason: 'failing', atMs: NOON_MS },
				},
			],
		);
		assert.deepEqual(await due(store, 'one'), []);
		await runAll(store, [updateWebhook('acme', HOOK, { isEnabled: true })]);
		assert.deepEqual(await due(store, 'one'), [HOOK]);
		assert.equal(await reached(store), 0);
	});

	test('a webhook whose next event was forgotten, or whose log was restored, wants a position to go on', async (t) => {
		const { store, corrupt } = await openWithEvents(engine, t, 0);
		await runAll(store, [createWebhook('acme', HOOK), createWebhook('acme', 'whe_2')]);
		for (const n of [1, 2, 3]) await runAll(store, [creditReseller('acme', 5, `${n}`)], NOON_MS + n);
		await runAll(store, [forgetEvents('acme', NOON_MS + 3)]);
		const enable = (id: string, position?: { readonly number: number; readonly id?: string }) =>
			run(store, [
				updateWebhook('acme', id, { isEnabled: false }),
				updateWebhook('acme', id, { isEnabled: true, position }),
			]);
		assert.deepEqual(endings(await enable(HOOK)), ['ok', 'events_expired']);
		assert.deepEqual(endings(await enable(HOOK, { number: 1 })), ['ok', 'events_expired']);
		assert.deepEqual(endings(await enable(HOOK, { number: 4 })), ['ok', 'events_rewound']);
		assert.deepEqual(endings(await enable(HOOK, { number: 3, id: 'evt_0000000000000000000000' })), [
			'ok',
			'events_rewound',
		]);
		assert.deepEqual(endings(await enable(HOOK, { number: 2 })), ['ok', 'ok']);
		assert.deepEqual(endings(await enable('whe_2', { number: 3 })), ['ok', 'ok']);
		// A restored log has another event there.
		await corrupt("UPDATE events SET id = 'evt_other' WHERE number = 3");
		assert.deepEqual(endings(await enable('whe_2')), ['ok', 'events_rewound']);
	});

	test('a test is asked for once until it is sent, also of a webhook that is off; it changes nothing else', async (t) => {
		const { store } = await openWithEvents(engine, t, 0);
		await runAll(store, [createWebhook('acme', HOOK), creditReseller('acme', 5, 'a')]);
		await runAll(store, [updateWebhook('acme', HOOK, { isEnabled: false })]);
		assert.deepEqual(await due(store, 'one'), []);
		await runAll(store, [testWebhook('acme', HOOK)]);
		await runAll(store, [testWebhook('acme', HOOK)], NOON_MS + 1);
		const before = await store.findWebhook(HOOK);
		assert.equal(before?.webhook.testAtMs, NOON_MS);
		assert.deepEqual(await due(store, 'one'), [HOOK]);
		await lease(store, 'one');
		await end(store, 'one', BAD, { isTest: true });
		const after = await store.findWebhook(HOOK);
		assert.deepEqual(after?.webhook, { ...before?.webhook, testAtMs: null });
		assert.deepEqual(await due(store, 'one'), []);
		assert.deepEqual((await store.listWebhookTries('acme', HOOK))?.[0]?.eventNumber, 0);
	});

	test('the webhooks of a copy are switched off and on by one command each, and those that were off before stay off', async (t) => {
		const { store } = await openWithEvents(engine, t, 0);
		await runAll(store, [
			...[createWebhook('acme', HOOK), createWebhook('acme', 'whe_2'), createWebhook('other', 'whe_3')],
			...[updateWebhook('acme', 'whe_2', { isEnabled: false }), testWebhook('acme', HOOK)],
		]);
		const reasons = async () =>
			[...(await store.listWebhooks('acme')), ...(await store.listWebhooks('other'))].map(({ offReason, testAtMs }) => [
				offReason,
				testAtMs,
			]);
		const unattended = (id: string) => ({ id, kind: id, target: '', requestId: id, systemUser: 'root' });
		const pause = { kind: 'pause_webhooks', unattended: unattended('pause_webhooks') } as const;
		const resume = { kind: 'resume_webhooks', unattended: unattended('resume_webhooks') } as const;
		assert.deepEqual(await runPeople(store, [pause]), [{ ok: true, webhooks: 2 }]);
		const off = ['copied', null];
		assert.deepEqual(await reasons(), [off, ['switched_off', null], off]);
		assert.deepEqual(await runPeople(store, [resume]), [{ ok: true, webhooks: 2 }]);
		assert.deepEqual(await reasons(), [
			[null, null],
			['switched_off', null],
			[null, null],
		]);
		assert.deepEqual(await runPeople(store, [resume]), [{ ok: true, webhooks: 0 }]);
	});
}

/** The resellers acme, with this many events, and other. */
async function openWithEvents(engine: Engine, t: Parameters<Engine['open']>[0], events: number) {
	const opened = await engine.open(t);
	await runAll(opened.store, [createReseller('acme'), createReseller('other')]);
	const credits = Array.from({ length: events }, (_, n) => creditReseller('acme', 5, `event ${n}`));
	await runAll(opened.store, credits);
	return opened;
}

function lease(store: Store, owner: string, nowMs = NOON_MS, id = HOOK): Promise<void> {
	return keepAll(store, [{ kind: 'webhook_lease', id, owner, leaseMs: LEASE_MS }], nowMs);
}

function due(store: Store, owner: string, nowMs = NOON_MS, limit = 9): Promise<readonly string[]> {
	return store.listDueWebhooks({ owner, nowMs, leaseMs: LEASE_MS, limit });
}

async function reached(store: Store): Promise<number | undefined> {
	return (await store.findWebhook(HOOK))?.webhook.reached.number;
}

/** Says how a try to send the next event ended. */
async function end(
	store: Store,
	owner: string,
	outcome: TryOutcome,
	{
		from,
		isTest = false,
		atMs = NOON_MS,
	}: { readonly from?: number; readonly isTest?: boolean; readonly atMs?: number } = {},
): Promise<void> {
	const found = await store.findWebhook(HOOK);
	assert.ok(found);
	const { webhook, allTries } = found;
	const before = from ?? webhook.reached.number;
	const log = await store.readEvents({ reseller: 'acme', after: before, limit: 1 });
	const next = log?.events[0];
	assert.ok(next);
	const event = isTest ? { number: 0, id: 'evt_test', type: 'webhook.test' } : next;
	const record: WebhookTry = {
		...{ kind: 'webhook_try', id: HOOK, owner, from: before, leaseMs: LEASE_MS, allTries, event, atMs },
		dueAtMs: webhook.nextAtMs,
		...keptOutcome(outcome),
		after: isTest ? undefined : decideTry(webhook, event, outcome, { nowMs: atMs, jitter: 0 }),
	};
	await keepAll(store, [record], atMs);
}
