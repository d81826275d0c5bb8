import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { EventPage } from '@bursar/contract/event-schemas';
import { assertFailure, resellerApi } from '@bursar/testing/api';
import { startTestService } from '@bursar/testing/service';
import { Compile } from 'typebox/compile';

const eventPage = Compile(EventPage);
const FOREIGN = `evt_${'x'.repeat(22)}`;

/** A service with the reseller acme. */
async function serveAcme(t: TestContext) {
	const service = await startTestService(t);
	const { token } = await service.openReseller('acme', 1_000_000);
	const api = resellerApi(service.url, token);
	return {
		service,
		token,
		api,
		/** Asks for a page, which must be as the contract says. */
		async page(body: object) {
			const answer = await api.viewEvents(body);
			assert.equal(answer.status, 200, answer.text);
			assert.ok(eventPage.Check(answer.data), answer.text);
			return answer.data as {
				// biome-ignore lint/suspicious/noExplicitAny: events have different data
				readonly events: readonly any[];
				readonly next: string;
				readonly more: boolean;
			};
		},
	};
}

type Served = Awaited<ReturnType<typeof serveAcme>>;

/** Suspends and resumes a sub-user, until there are so many events of it. */
async function happen({ api }: Served, username: string, count: number): Promise<void> {
	for (let done = 0; done < count; done++) {
		const change = done % 2 === 0 ? api.suspend : api.resume;
		assert.equal((await change({ username })).status, 200);
	}
}

test('events come oldest first, with what has caused them, and next leads from page to page', async (t) => {
	const served = await serveAcme(t);
	const { api, page } = served;
	assert.deepEqual(await page({}), { events: [], next: '0', more: false });
	const created = await api.create({ username: 'alice' });
	const change = await api.suspend({ username: 'alice' }, { headers: { 'x-change-id': 'suspend-alice-once' } });
	await api.setLimits({ username: 'alice', day_bytes: 5 });
	await api.resetAuthKey({ username: 'alice' });
	const { events, next, more } = await page({});
	assert.deepEqual(
		events.map(({ number, type, username }) => [number, type, username]),
		[
			[1, 'sub_user.created', 'alice'],
			[2, 'sub_user.suspended', 'alice'],
			[3, 'sub_user.unusable', 'alice'],
			[4, 'sub_user.limits_set', 'alice'],
			[5, 'sub_user.key_reset', 'alice'],
		],
	);
	assert.equal(more, false);
	assert.equal(next, `${events.at(-1).number}-${events.at(-1).id}`);
	const [first, second] = events;
	assert.equal(first.request_id, created.headers.get('x-request-id'));
	assert.ok(!('change_id' in first), 'absent rather than null');
	assert.equal(second.request_id, change.headers.get('x-request-id'));
	assert.equal(second.change_id, 'suspend-alice-once');
	const singly = [];
	for (let after: string | null = null; ; ) {
		const one = await page({ after, limit: 1 });
		singly.push(...one.events);
		after = one.next;
		if (!one.more) break;
	}
	assert.deepEqual(singly, events);
	assert.deepEqual(await page({ after: next }), { events: [], next, more: false });
});

test('a place is guarded if it has an id, a bare number becomes one, and newest is the present place', async (t) => {
	const served = await serveAcme(t);
	const { api, page } = served;
	assert.deepEqual(await page({ after: 'newest' }), { events: [], next: '0', more: false });
	await api.create({ username: 'alice' });
	const { events, next } = await page({});
	assert.deepEqual(await page({ after: 'newest', wait_seconds: 25 }), { events: [], next, more: false });
	assert.deepEqual(await page({ after: events.length }), { events: [], next, more: false });
	assert.deepEqual(await page({ after: String(events.length) }), { events: [], next, more: false });
	assert.deepEqual((await page({ after: 0 })).events, events);
	assert.deepEqual((await page({ after: '0' })).events, events);
});

test('a page of some types moves past the others, and looks at a thousand events at most', async (t) => {
	const served = await serveAcme(t);
	const { api, page } = served;
	await api.create({ username: 'alice' });
	await happen(served, 'alice', 700);
	const all = [];
	let after: string | undefined;
	let more = true;
	while (more) {
		const found = await page({ after, limit: 1000 });
		all.push(...found.events);
		after = found.next;
		more = found.more;
	}
	assert.ok(all.length > 1100);
	assert.deepEqual(
		all.map(({ number }) => number),
		all.map((_, index) => index + 1),
	);
	const types = ['sub_user.resumed', 'sub_user.key_reset'];
	const resumed = all.filter(({ type }) => types.includes(type));
	assert.deepEqual((await page({ types, limit: 3 })).events, resumed.slice(0, 3));
	await api.resetAuthKey({ username: 'alice' });
	const none = await page({ types: ['sub_user.key_reset'] });
	assert.deepEqual(none, { events: [], next: `1000-${all[999].id}`, more: true });
	const rest = await page({ types: ['sub_user.key_reset'], after: none.next });
	assert.deepEqual(
		rest.events.map(({ type }) => type),
		['sub_user.key_reset'],
	);
	assert.equal(rest.more, false);
});

test('a page with large events has half a MiB at most, and the next one goes on', async (t) => {
	const served = await serveAcme(t);
	const { api, page } = served;
	await api.create({ username: 'alice' });
	const networks = (first: number) =>
		Array.from({ length: 32 }, (_, index) => `2001:db8:1111:2222:3333:4444:${first.toString(16)}:${index + 4096}`);
	for (let count = 1; count <= 400; count++) {
		await api.setLimits({ username: 'alice', allowed_ips: networks(count) });
	}
	const first = await api.viewEvents({ limit: 1000 });
	assert.ok(first.text.length < 512 * 1024, `${first.text.length} bytes`);
	assert.equal(first.data.more, true);
	const second = await page({ after: first.data.next, limit: 1000 });
	assert.equal(second.events[0].number, first.data.events.length + 1);
});

test('a place whose events were forgotten is expired, and the answer tells which there are', async (t) => {
	const served = await serveAcme(t);
	const { api, page, service } = served;
	await api.create({ username: 'alice' });
	const { next } = await page({});
	await api.suspend({ username: 'alice' });
	const newest = (await page({ after: next })).events.at(-1).number;
	await service.submit({ kind: 'forget_events', reseller: 'acme', beforeMs: Date.now() + 1000 });
	for (const after of [0, '0', next, newest - 1]) {
		const answer = await api.viewEvents({ after });
		assertFailure(answer, 410, 'events_expired', String(after));
		assert.equal(answer.headers.get('x-events-oldest'), String(newest + 1));
		assert.equal(answer.headers.get('x-events-newest'), String(newest));
	}
	assert.deepEqual(await page({}), { events: [], next: String(newest), more: false });
	assert.deepEqual(await page({ after: 'newest' }), { events: [], next: String(newest), more: false });
	await api.resume({ username: 'alice' });
	const [first] = (await page({})).events;
	assert.equal(first.number, newest + 1);
	assert.deepEqual((await page({ after: newest })).events[0], first);
});

test('a place that the log has not is rewound: above the newest, or another event', async (t) => {
	const { api, page } = await serveAcme(t);
	await api.create({ username: 'alice' });
	const { events } = await page({});
	const newest = events.length;
	for (const after of [newest + 1, `${newest + 1}-${FOREIGN}`, `1-${FOREIGN}`, `${newest}-${FOREIGN}`]) {
		const answer = await api.viewEvents({ after, wait_seconds: 25 });
		assertFailure(answer, 410, 'events_rewound', String(after));
		assert.equal(answer.headers.get('x-events-oldest'), '1');
		assert.equal(answer.headers.get('x-events-newest'), String(newest));
	}
});

test('a wrong field is refused', async (t) => {
	const { api } = await serveAcme(t);
	const cursors = ['', '-1', '01', '1-', '1-evt_short', 'oldest', ' 1', '1'.repeat(16), -1, 1.5, 1e21, true, {}, [1]];
	for (const body of [
		...cursors.map((after) => ({ after })),
		...[0, 1001, 1.5, '5', null].map((limit) => ({ limit })),
		...[null, [], 'sub_user.created', ['sub_user.gone'], [5]].map((types) => ({ types })),
		{ types: ['sub_user.created', 'sub_user.created'] },
		{ types: ['sub_user.created', 'sub_user.gone'] },
		...[-1, 26, 0.5, '5', null].map((wait_seconds) => ({ wait_seconds })),
	]) {
		assertFailure(await api.viewEvents(body), 400, 'invalid_request', JSON.stringify(body));
	}
});

test('a reseller sees its own events only, and reads them while it is suspended', async (t) => {
	const { service, page, api } = await serveAcme(t);
	await api.create({ username: 'alice' });
	const { token } = await service.openReseller('bolt', 1000);
	assert.deepEqual((await resellerApi(service.url, token).viewEvents({})).data.events, []);
	await service.submit({ kind: 'suspend_reseller', reseller: 'acme' });
	assert.equal((await page({ types: ['reseller.suspended'] })).events.length, 1);
});
