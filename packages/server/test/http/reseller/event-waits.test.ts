import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { allEndpoints } from '@bursar/contract';
import { type Answer, assertFailure, resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { startTestService } from '@bursar/testing/service';
import { newToken } from '../../../src/credentials.ts';
import { openStore } from '../../../src/engine.ts';
import { createEventWaits } from '../../../src/http/reseller/event-waits.ts';
import { CallerBusyError, StoreUnavailableError } from '../../../src/store/reading.ts';
import type { Store } from '../../../src/store/store.ts';
import { rawConnection, requestText } from '../../support/raw-socket.ts';

const LOOK_MS = 20;

/** A service with acme and alice. `looks` has the resellers of each look at the store. */
async function serveAlice(t: TestContext) {
	const looks: (readonly string[])[] = [];
	let reads = 0;
	let fault: Partial<Store> = {};
	const service = await startTestService(
		t,
		{},
		{
			eventLookMs: LOOK_MS,
			async openStore(config) {
				const store = await openStore(config, { serves: true });
				return {
					...store,
					readEvents(query) {
						reads++;
						return store.readEvents(query);
					},
					async listNewestEvents(resellers) {
						looks.push(resellers);
						return (fault.listNewestEvents ?? store.listNewestEvents)(resellers);
					},
				};
			},
		},
	);
	const { token } = await service.openReseller('acme', 1000);
	const api = resellerApi(service.url, token);
	await api.create({ username: 'alice' });
	const { next } = (await api.viewEvents({})).data;
	return {
		service,
		token,
		api,
		next: next as string,
		looks,
		fail(faults: Partial<Store>) {
			fault = faults;
		},
		/** Waits behind that place. Resolves when the service has looked for it. */
		async wait(body: object = {}): Promise<{ readonly answer: Promise<Answer> }> {
			const answer = api.viewEvents({ after: next, wait_seconds: 25, ...body });
			await nextLook(looks);
			return { answer };
		},
		/** Sends requests, and resolves when the service has read so many pages and has looked for events. */
		async untilWaiting(count: number, send: () => void): Promise<void> {
			const before = reads;
			send();
			await eventually(async () => assert.equal(reads, before + count));
			await nextLook(looks);
		},
	};
}

async function nextLook(looks: readonly (readonly string[])[]): Promise<void> {
	const before = looks.length;
	// One may be on its way that began earlier.
	await eventually(async () => assert.ok(looks.length > before + 1));
}

/** Whether the service has stopped to look, because nobody waits. */
async function isQuiet(looks: readonly unknown[]): Promise<void> {
	await eventually(async () => {
		const before = looks.length;
		await new Promise((resolve) => setTimeout(resolve, 5 * LOOK_MS));
		assert.equal(looks.length, before);
	});
}

test('a request waits for the next event, and is answered with it', async (t) => {
	const { api, wait, next, looks } = await serveAlice(t);
	const { answer } = await wait();
	const suspended = await api.suspend({ username: 'alice' });
	const { data } = await answer;
	assert.equal(data.events[0].type, 'sub_user.suspended');
	assert.equal(data.events[0].request_id, suspended.headers.get('x-request-id'));
	assert.ok(looks.every((resellers) => resellers.join() === 'acme'));
	assert.equal(
		(await api.viewEvents({ after: next, wait_seconds: 25 })).data.events.length,
		2,
		'what is there is answered',
	);
	await isQuiet(looks);
});

test('events of other types move the place and do not end a wait, and the end of its time does', async (t) => {
	const { api, wait, looks } = await serveAlice(t);
	const types = ['sub_user.resumed'];
	const first = await wait({ types });
	await api.suspend({ username: 'alice' });
	await nextLook(looks);
	await api.resume({ username: 'alice' });
	const { data } = await first.answer;
	assert.deepEqual(
		data.events.map(({ type }: { type: string }) => type),
		types,
	);
	const second = await wait({ types, after: data.next, wait_seconds: 1 });
	await api.resetAuthKey({ username: 'alice' });
	const over = (await second.answer).data;
	assert.deepEqual(over.events, []);
	assert.equal(over.more, false);
	assert.ok(Number.parseInt(over.next, 10) > Number.parseInt(data.next, 10));
	await isQuiet(looks);
});

test('a reseller has four waits, and a fifth is refused as busy', async (t) => {
	const { api, untilWaiting, service, looks, next } = await serveAlice(t);
	let four: Promise<Answer>[] = [];
	await untilWaiting(4, () => {
		four = [1, 2, 3, 4].map(() => api.viewEvents({ after: next, wait_seconds: 25 }));
	});
	assertFailure(await api.viewEvents({ after: next, wait_seconds: 25 }), 503, 'unavailable');
	assert.equal((await api.viewEvents({ after: next })).status, 200, 'a page without a wait is answered');
	const { token } = await service.openReseller('bolt', 1000);
	const other = resellerApi(service.url, token).viewEvents({ wait_seconds: 1 });
	await eventually(async () => assert.ok(looks.some((resellers) => resellers.length === 2)));
	await api.suspend({ username: 'alice' });
	for (const answer of four) assert.equal((await answer).status, 200);
	assert.deepEqual((await other).data.events, []);
});

test('a client that hangs up frees its place', async (t) => {
	const { service, token, next, looks, api, untilWaiting } = await serveAlice(t);
	const body = JSON.stringify({ after: next, wait_seconds: 25 });
	const connections = await Promise.all([1, 2, 3, 4].map(() => rawConnection(t, service.url)));
	const bytes = requestText('POST', allEndpoints.viewEventPage.path, [`Authorization: Bearer ${token}`], body);
	await untilWaiting(4, () => {
		for (const connection of connections) connection.write(bytes);
	});
	const fifth = await api.viewEvents({ after: next, wait_seconds: 1 });
	assertFailure(fifth, 503, 'unavailable');
	connections[0]?.socket.destroy();
	connections[1]?.socket.end();
	connections[2]?.socket.resetAndDestroy();
	connections[3]?.socket.destroy();
	await isQuiet(looks);
});

test('a token that ends meanwhile gets no events', async (t) => {
	const { wait, service, api } = await serveAlice(t);
	const { answer } = await wait({ types: ['reseller.suspended'] });
	const { token: _, ...kept } = newToken();
	await service.submit({ kind: 'revoke_token', reseller: 'acme', madeBy: 'operator', ...kept });
	await eventually(async () => assert.equal((await api.myInfo()).status, 401));
	await service.submit({ kind: 'suspend_reseller', reseller: 'acme' });
	assertFailure(await answer, 401, 'unauthorized');
});

test('a wait goes on while the store cannot be asked', async (t) => {
	const { wait, fail, looks, api } = await serveAlice(t);
	const { answer } = await wait();
	fail({ listNewestEvents: () => Promise.reject(new StoreUnavailableError('away')) });
	await api.suspend({ username: 'alice' });
	await nextLook(looks);
	fail({});
	assert.equal((await answer).data.events[0].type, 'sub_user.suspended');
});

test('a service that stops answers those who wait at once', async (t) => {
	const { wait, service, next } = await serveAlice(t);
	const { answer } = await wait();
	await service.stop();
	assert.deepEqual((await answer).data, { events: [], next, more: false });
});

const NEVER = { listNewestEvents: async () => new Map<string, number>() };
const response = () => new EventEmitter() as ServerResponse;

test('a thousand requests wait in all, and those of a reseller are four', async () => {
	const waits = createEventWaits(NEVER);
	const begun = [];
	for (let reseller = 0; reseller < 250; reseller++)
		for (let count = 0; count < 4; count++) begun.push(waits.begin(`reseller${reseller}`, 25_000, response()));
	assert.throws(() => waits.begin('reseller0', 25_000, response()), CallerBusyError);
	assert.throws(() => waits.begin('another', 25_000, response()), /too many requests wait/);
	begun[7]?.end();
	begun[7]?.end();
	waits.begin('another', 25_000, response());
	assert.throws(() => waits.begin('another', 25_000, response()), StoreUnavailableError);
	const last = begun.at(-1)?.newestIsNot(5);
	waits.close();
	assert.equal(await last, false);
	assert.equal(await waits.begin('another', 25_000, response()).newestIsNot(5), false);
});

test('one look at the store is for all that wait', async () => {
	const reads: number[] = [];
	const newest = new Map(Array.from({ length: 300 }, (_, index) => [`reseller${index}`, 5]));
	const store = {
		async listNewestEvents(resellers: readonly string[]) {
			reads.push(resellers.length);
			return newest;
		},
	};
	const waits = createEventWaits(store, { lookMs: 5 });
	const asked = Array.from(newest, ([reseller]) => waits.begin(reseller, 25_000, response()));
	const changed = asked.map((wait) => wait.newestIsNot(5));
	await eventually(async () => assert.equal(reads[0], 300));
	newest.set('reseller7', 6).set('reseller299', 4);
	assert.equal(await changed[7], true);
	assert.equal(await changed[299], true, 'a log that was rewound is told too');
	waits.close();
	assert.equal(await changed[8], false);
});
