import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	Bursar,
	ConnectionError,
	InternalServerError,
	OutcomeUnknownError,
	UnauthorizedError,
	UnexpectedAnswerError,
	UnknownSubUserError,
} from '../src/index.ts';
import { serveAlice, serveReseller } from './support/client.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { envelopeOf, type Fate } from './support/unreliable-fetch.ts';

test('reads are repeated after any kind of lost answer', async (t) => {
	const { unreliable } = await serveAlice(t);
	const html = () => new Response('<h1>bad gateway</h1>', { status: 502 });
	const { client, way } = unreliable({
		my_info: ['never_arrives', 'answer_lost', () => envelopeOf('unavailable')],
		view_single: [html, () => new Response(null, { status: 503 })],
		view_page: [() => new Response('{"status":200,"mess')],
		view_txs: [() => envelopeOf('internal_error')],
	});
	assert.equal((await client.account.retrieve()).username, 'acme');
	assert.equal((await client.subUsers.retrieve('alice')).username, 'alice');
	assert.equal((await client.subUsers.list().page()).items.length, 1);
	assert.deepEqual(await client.subUsers.retrieveUsage('alice'), []);
	assert.deepEqual(
		['my_info', 'view_single', 'view_page', 'view_txs'].map(
			(name) => way.asked.filter((asked) => asked === name).length,
		),
		[4, 3, 2, 2],
	);
});

test('attempts are limited, and the last failure is thrown', async (t) => {
	const { unreliable } = await serveReseller(t);
	const always = <Item>(item: Item) => Array<Item>(9).fill(item);
	const failing = (answer: () => Response) => unreliable({ my_info: always(answer) }, { maxAttempts: 2 });
	for (const [answer, type] of [
		[() => envelopeOf('internal_error'), InternalServerError],
		[() => envelopeOf('request_timeout'), ConnectionError],
		[() => new Response('busy', { status: 500 }), UnexpectedAnswerError],
	] as const) {
		const { client, way } = failing(answer);
		await assert.rejects(client.account.retrieve(), type);
		assert.equal(way.asked.length, 2);
	}
	const noAnswers: readonly Fate[] = [
		() => envelopeOf('unavailable'),
		() => new Response('no server', { status: 502 }),
		// A balancer accepts the connection, finds no service, and closes it.
		'never_arrives',
	];
	for (const answer of noAnswers) {
		const { client, way } = unreliable({ my_info: Array(3).fill(answer) }, { maxAttempts: 1 });
		assert.equal((await client.account.retrieve()).username, 'acme', 'only time limits what may pass soon');
		assert.equal(way.asked.length, 4);
	}
	const { client, way } = unreliable({ my_info: always('never_arrives' as const) });
	await assert.rejects(client.account.retrieve({ totalTimeoutMs: 400 }), ConnectionError);
	assert.ok(way.asked.length <= 3);
});

test('a failure that will not pass is not repeated', async (t) => {
	const { unreliable } = await serveReseller(t);
	for (const [answer, type] of [
		[() => envelopeOf('unauthorized'), UnauthorizedError],
		[() => envelopeOf('not_found'), UnexpectedAnswerError],
		[() => new Response('not here', { status: 404 }), UnexpectedAnswerError],
		[() => new Response(null, { status: 307, headers: { Location: 'http://127.0.0.1:1/' } }), UnexpectedAnswerError],
	] as const) {
		const { client, way } = unreliable({ my_info: [answer] });
		await assert.rejects(client.account.retrieve(), type);
		assert.equal(way.asked.length, 1);
	}
});

test('each kind of refusal has its own error class, with code, status and request id', async (t) => {
	const { service, reliable } = await serveReseller(t);
	await rejectsWith(reliable.subUsers.retrieve('nobody'), UnknownSubUserError, (error) => {
		assert.deepEqual([error.name, error.code, error.status], ['UnknownSubUserError', 'unknown_sub_user', 404]);
		assert.match(error.requestId ?? '', /./);
		assert.ok(!(error instanceof OutcomeUnknownError));
		const { name, message, code, status, requestId } = error;
		assert.deepEqual(JSON.parse(JSON.stringify(error)), { name, message, code, status, requestId });
	});
	const stranger = new Bursar({ baseUrl: service.url, token: 'brs_wrong' });
	await rejectsWith(stranger.account.retrieve(), UnauthorizedError, (error) =>
		assert.deepEqual([error.code, error.status], ['unauthorized', 401]),
	);
});

test('without X-Error-Code, the status of an envelope decides the class', async (t) => {
	const { unreliable } = await serveReseller(t);
	const bare = (status: number) => () => Response.json({ status, message: '', timestamp: 1, data: null }, { status });
	const { client } = unreliable({ view_single: [bare(404)], my_info: [bare(401)] });
	await assert.rejects(client.subUsers.retrieve('alice'), UnknownSubUserError);
	await assert.rejects(client.account.retrieve(), UnauthorizedError);
});

test('times are UTC, also without a zone, and must exist; a day of usage begins at midnight', async (t) => {
	const { unreliable } = await serveReseller(t);
	const dates = {
		'2026-11-21T13:37:00Z': '2026-11-21T13:37:00.000Z',
		'2026-11-21T13:37:00.123456+00:00': '2026-11-21T13:37:00.123Z',
		'2026-11-21T13:37:00': '2026-11-21T13:37:00.000Z',
		'2026-11-21T13:37:00+05:00': undefined,
		'2026-02-31T00:00:00Z': undefined,
		'2026-11-21': undefined,
		'1': undefined,
	};
	for (const [written, read] of Object.entries(dates)) {
		const data = { username: 'acme', balance: 1, proxy_authkey: 'x'.repeat(16), date_created: written };
		const { client } = unreliable({ my_info: Array(9).fill(() => answerOf(data)) });
		if (read) assert.equal((await client.account.retrieve()).dateCreated.toISOString(), read);
		else await assert.rejects(client.account.retrieve(), UnexpectedAnswerError);
	}
	for (const [timestamp, isDay] of [
		['2026-11-21T00:00:00Z', true],
		['2026-11-21T13:37:00Z', false],
	] as const) {
		const { client } = unreliable({
			view_txs: Array(9).fill(() => answerOf([{ timestamp, bandwidth: { up: 1, down: 2 } }])),
		});
		if (isDay) assert.equal((await client.subUsers.retrieveUsage('alice')).length, 1);
		else await assert.rejects(client.subUsers.retrieveUsage('alice'), UnexpectedAnswerError);
	}
});

test('a request without an answer ends at its time-out, and an aborted one ends at once', async (t) => {
	const { unreliable } = await serveReseller(t);
	const silent: typeof fetch = (_, init) =>
		new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
	const { client } = unreliable({}, { fetch: silent });
	await assert.rejects(client.account.retrieve({ timeoutMs: 30, totalTimeoutMs: 60 }), /no answer within 30 ms/);
	const controller = new AbortController();
	const reading = client.account.retrieve({ signal: controller.signal });
	const reason = new Error('no longer wanted');
	controller.abort(reason);
	await assert.rejects(reading, (error) => error === reason);
});

test('a pause between attempts ends when the call is aborted', async (t) => {
	const { unreliable } = await serveReseller(t);
	const { client } = unreliable({ my_info: [() => envelopeOf('unavailable', { 'Retry-After': '30' })] });
	await assert.rejects(client.account.retrieve({ signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });
});

function answerOf(data: unknown): Response {
	return Response.json({ status: 200, message: '', timestamp: 1, data });
}
