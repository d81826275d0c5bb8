import assert from 'node:assert/strict';
import { test } from 'node:test';
import { successEnvelope } from '@bursar/contract';
import {
	type ClientEvent,
	EventsExpiredError,
	EventsGoneError,
	EventsRewoundError,
	type ResellerEvent,
	UnauthorizedError,
	UnexpectedAnswerError,
} from '../src/index.ts';
import { pauseMs } from '../src/protocol/follow.ts';
import { readEventPage } from '../src/read-events.ts';
import { serveAlice, serveReseller } from './support/client.ts';
import { envelopeOf } from './support/unreliable-fetch.ts';

async function take(events: AsyncIterable<ResellerEvent>, count: number): Promise<ResellerEvent[]> {
	const taken: ResellerEvent[] = [];
	for await (const event of events) if (taken.push(event) === count) break;
	return taken;
}

async function all(events: AsyncIterable<ResellerEvent>): Promise<ResellerEvent[]> {
	return take(events, Number.POSITIVE_INFINITY);
}

const pageOf = (next: string, more = false) => Response.json(successEnvelope({ events: [], next, more }, Date.now()));

test('events come oldest first over all pages, with typed data, and each is a place to go on from', async (t) => {
	const { reliable, unreliable } = await serveAlice(t);
	const changeId = 'suspend-alice-once';
	await reliable.subUsers.suspend('alice', { changeId });
	await reliable.subUsers.setLimits('alice', { dayBytes: 5 });
	await reliable.subUsers.delete('alice');
	const { client } = unreliable({ view_page: ['never_arrives', 'answer_lost'] });
	const events = await all(client.events.list({ pageRows: 1 }));
	assert.deepEqual(
		events.map(({ number }) => number),
		events.map((_, index) => index + 1),
	);
	const suspended = events.find(({ type }) => type === 'sub_user.suspended') ?? assert.fail();
	assert.deepEqual([suspended.username, suspended.changeId, suspended.data], ['alice', changeId, {}]);
	assert.ok(suspended.at instanceof Date && suspended.requestId !== undefined);
	for (const event of events) {
		if (event.type === 'sub_user.limits_set') assert.equal(event.data.limits.dayBytes, 5);
		if (event.type === 'sub_user.deleted') assert.equal(event.data.returnedCents, 0);
	}
	const last = events.at(-1) ?? assert.fail();
	assert.equal(last.type, 'sub_user.deleted');
	const page = await client.events.list({ after: events[0]?.next ?? '', pageRows: 2 }).page();
	assert.deepEqual(page, { items: events.slice(1, 3), next: events[2]?.next, more: true });
	assert.deepEqual(await client.events.list({ after: 'newest' }).page(), { items: [], next: last.next, more: false });
	assert.deepEqual(await all(client.events.list({ types: ['sub_user.suspended'] })), [suspended]);
});

test('an empty page that has more is not the end of a list', async (t) => {
	const { unreliable } = await serveAlice(t);
	const { client, way } = unreliable({ view_page: [() => pageOf('0', true), () => pageOf('1', true)] });
	await all(client.events.list());
	assert.equal(way.asked.length, 3);
});

test('follow waits for events, and goes on through lost answers, restarts and pages of proxies', async (t) => {
	const { reliable, unreliable } = await serveAlice(t);
	const { next } = await reliable.events.list({ after: 'newest' }).page();
	const { client, way } = unreliable({
		view_page: [
			'never_arrives',
			'answer_lost',
			() => envelopeOf('unavailable', { 'Retry-After': '0' }),
			() => envelopeOf('internal_error'),
			() => new Response('<h1>502</h1>', { status: 502 }),
		],
	});
	const told: ClientEvent[] = [];
	const onEvent = (event: ClientEvent) => void told.push(event);
	const following = take(client.events.follow({ after: next, waitSeconds: 1, onEvent }), 3);
	while (way.asked.length < 6) await new Promise((resolve) => setTimeout(resolve, 20));
	await reliable.subUsers.suspend('alice');
	await reliable.subUsers.resume('alice');
	const events = await following;
	assert.equal(events[0]?.type, 'sub_user.suspended');
	assert.deepEqual(
		events.map(({ number }) => number),
		[0, 1, 2].map((index) => Number.parseInt(next, 10) + 1 + index),
	);
	assert.equal(told.filter(({ kind }) => kind === 'failure').length, 5);
});

test('follow tells a place that has moved without an event, so that it can be kept', async (t) => {
	const { reliable } = await serveAlice(t);
	const { next } = await reliable.events.list({ after: 'newest' }).page();
	const end = new AbortController();
	const places: string[] = [];
	const following = all(
		reliable.events.follow({
			after: 'newest',
			types: ['sub_user.deleted'],
			waitSeconds: 0,
			signal: end.signal,
			onNext(place) {
				places.push(place);
				if (places.length === 1) void reliable.subUsers.resetAuthKey('alice');
				else end.abort(new Error('enough'));
			},
		}),
	);
	await assert.rejects(following, /enough/);
	assert.equal(places[0], next);
	assert.equal(Number.parseInt(places[1] ?? '', 10), Number.parseInt(next, 10) + 1);
});

test('follow is ended by its signal while it waits or pauses, and by a break', async (t) => {
	const { reliable, unreliable } = await serveAlice(t);
	assert.equal((await take(reliable.events.follow(), 1))[0]?.number, 1);
	const reason = new Error('enough');
	const end = new AbortController();
	const held = all(
		reliable.events.follow({
			after: 'newest',
			signal: end.signal,
			onNext: () => setTimeout(() => end.abort(reason), 50),
		}),
	);
	await assert.rejects(held, (error) => error === reason);
	const pausing = new AbortController();
	const { client } = unreliable({ view_page: [() => envelopeOf('unavailable', { 'Retry-After': '100' })] });
	const onEvent = ({ kind }: ClientEvent) => kind === 'wait' && pausing.abort(reason);
	await assert.rejects(all(client.events.follow({ signal: pausing.signal, onEvent })), (error) => error === reason);
});

test('places that the log has not any more end list and follow, and tell which events there are', async (t) => {
	const { reliable, service } = await serveAlice(t);
	const { next } = await reliable.events.list({ after: 'newest' }).page();
	const newest = Number.parseInt(next, 10);
	const rewound = (error: unknown) => {
		assert.ok(error instanceof EventsRewoundError && error instanceof EventsGoneError);
		assert.deepEqual([error.oldest, error.newest, error.code, error.status], [1, newest, 'events_rewound', 410]);
		return true;
	};
	const foreign = `1-evt_${'x'.repeat(22)}`;
	for (const after of [String(newest + 1), foreign]) {
		await assert.rejects(all(reliable.events.follow({ after })), rewound);
		await assert.rejects(all(reliable.events.list({ after })), rewound);
	}
	await service.submit({ kind: 'forget_events', reseller: 'acme', beforeMs: Date.now() + 1000 });
	await assert.rejects(all(reliable.events.follow({ after: '0' })), (error) => {
		assert.ok(error instanceof EventsExpiredError);
		assert.deepEqual([error.oldest, error.newest], [newest + 1, newest]);
		assert.match(JSON.stringify(error), /"newest":/);
		return true;
	});
});

test('what no attempt can mend ends follow: a token, a wrong address, a 410 without its headers', async (t) => {
	const { unreliable } = await serveReseller(t);
	const first = (fate: () => Response) => all(unreliable({ view_page: [fate] }).client.events.follow());
	await assert.rejects(
		first(() => envelopeOf('unauthorized')),
		UnauthorizedError,
	);
	await assert.rejects(
		first(() => new Response('<h1>Welcome</h1>')),
		UnexpectedAnswerError,
	);
	const bare = () => Response.json({ ...successEnvelope(null, Date.now()), status: 410 }, { status: 410 });
	await assert.rejects(first(bare), (error) => {
		assert.ok(error instanceof EventsExpiredError);
		assert.deepEqual([error.oldest, error.newest], [undefined, undefined]);
		return true;
	});
});

test('a service that does not wait is asked once a second at most', async (t) => {
	const { unreliable } = await serveReseller(t);
	const end = new AbortController();
	const fates = Array.from({ length: 5 }, () => () => pageOf('0'));
	const { client, way } = unreliable({ view_page: fates });
	setTimeout(() => end.abort(new Error('enough')), 300);
	await assert.rejects(all(client.events.follow({ after: '0', signal: end.signal })), /enough/);
	assert.equal(way.asked.length, 1);
});

test('pauses grow to 30 s, and have the time that Retry-After asks for besides', () => {
	assert.deepEqual(
		[1, 2, 3, 7, 8, 50].map((failures) => pauseMs(failures, 0, 1)),
		[250, 500, 1_000, 16_000, 30_000, 30_000],
	);
	assert.equal(pauseMs(50, 0, 0), 15_000);
	assert.equal(pauseMs(1, 7_000, 1), 7_250);
	assert.equal(pauseMs(1, 86_400_000, 1), 300_250);
});

test('wrong options are refused before anything is sent', async (t) => {
	const { unreliable } = await serveReseller(t);
	const { client, way } = unreliable({});
	for (const options of [
		...[{ waitSeconds: 26 }, { waitSeconds: 0.5 }, { types: [] }, { types: 'sub_user.created' }, { types: [5] }],
		...[{ after: 5 }, { onNext: 5 }, { maxAttempts: 3 }, { totalTimeoutMs: 5 }, { limit: 5 }, { pageRows: 0 }],
	]) {
		assert.throws(() => client.events.follow(options as never), TypeError, JSON.stringify(options));
	}
	assert.throws(() => client.events.list({ waitSeconds: 1 } as never), TypeError);
	assert.throws(() => client.statement.list({ types: ['sub_user.created'] } as never), TypeError);
	assert.deepEqual(way.asked, []);
});

const EVENT = {
	...{ id: 'evt_1', number: 7, type: 'sub_user.suspended', at: '2026-11-28T10:00:00.000Z' },
	...{ username: 'alice', data: {} },
};
const read = (event: object) => readEventPage({ events: [{ ...EVENT, ...event }], next: '7-evt_1', more: false });

test('each type of event has its data, and one of a newer service has it as it came', () => {
	for (const [type, data, expected] of [
		['sub_user.created', { usable: true, reason: null }, { isUsable: true, reason: undefined }],
		['sub_user.unusable', { reason: 'expired' }, { reason: 'expired' }],
		[
			'reseller.credited',
			{ amount_usd_cents: -5, balance: 3, reference: 'INV-7' },
			{ amountCents: -5, balanceCents: 3, reference: 'INV-7', payment: undefined },
		],
		[
			'reseller.credited',
			{ amount_usd_cents: 5, balance: 8, reference: 'stripe:cs_1:1', payment: 'pay_1' },
			{ amountCents: 5, balanceCents: 8, reference: 'stripe:cs_1:1', payment: 'pay_1' },
		],
		['reseller.balance_low', { balance: 3, threshold: 5 }, { balanceCents: 3, thresholdCents: 5 }],
		['reseller.debt', { state: 'began', debt: 1, line: 5 }, { state: 'began', debtCents: 1, lineCents: 5 }],
		[
			'token.rotated',
			{ change: 'ended', token_tail: 'a1b2', made_by: 'operator', previous_expires_at: '2026-11-28T10:00:00.000Z' },
			{
				...{ change: 'ended', tokenTail: 'a1b2', madeBy: 'operator' },
				previousExpiresAt: new Date('2026-11-28T10:00:00.000Z'),
			},
		],
		['sub_user.of_a_newer_service', { some_field: 5 }, { some_field: 5 }],
	] as const) {
		const [event] = read({ type, data })?.items ?? [];
		assert.deepEqual(event?.data, expected, type);
		assert.equal(event?.next, '7-evt_1');
		const field = Object.keys(data)[0] as string;
		if (type !== 'sub_user.of_a_newer_service') assert.equal(read({ type, data: { ...data, [field]: {} } }), undefined);
	}
	for (const wrong of [{ id: 5 }, { number: '7' }, { type: 5 }, { at: 'soon' }, { username: 5 }, { data: [] }]) {
		assert.equal(read(wrong), undefined, JSON.stringify(wrong));
	}
	assert.equal(read({ username: undefined }), undefined);
	assert.equal(readEventPage({ events: [], next: null, more: false }), undefined);
	assert.equal(readEventPage({ events: [], next: '0' }), undefined);
});
