import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createLogger } from '@bursar/terminal/logger';
import { eventually } from '@bursar/testing/eventually';
import { sameForAll } from '../../../src/http/server/address.ts';
import { answerWith } from '../../../src/http/server/answers.ts';
import { failureAnswer } from '../../../src/http/server/envelope.ts';
import { COMMON_LIMITS } from '../../../src/http/server/limits.ts';
import { createListener } from '../../../src/http/server/listener.ts';

/** A listener whose answers are noted by their status. */
function start(t: TestContext) {
	const statuses: number[] = [];
	const app = createListener({
		limits: COMMON_LIMITS,
		answers: { failure: failureAnswer },
		logger: createLogger('silent'),
		observation: {
			metrics: { requestDone: (_route, status) => void statuses.push(status), unavailable() {} },
			addressOf: () => sameForAll('192.0.2.1'),
			callerOf: () => ({}),
		},
		nowMs: Date.now,
	});
	t.after(() => app.close());
	return { app, statuses };
}

test('a request whose client goes away while a hook is at work ends, before its body is looked for', async (t) => {
	const { app, statuses } = start(t);
	const arrived = Promise.withResolvers<void>();
	const gone = Promise.withResolvers<void>();
	app.addHook('onRequest', async (request) => {
		request.raw.once('close', gone.resolve);
		request.raw.once('error', () => {});
		arrived.resolve();
		await gone.promise;
	});
	app.post('/x', (_request, reply) => reply.send('never'));
	await app.listen({ host: '127.0.0.1', port: 0 });
	const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
	client.on('error', () => {});
	await once(client, 'connect');
	client.write('POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
	await arrived.promise;
	client.resetAndDestroy();
	await eventually(async () => assert.deepEqual(statuses, [400]));
});

test('whatever a promise rejects with, the answer is a failure', async (t) => {
	const { app } = start(t);
	const causes = { undefined: undefined, object: { a: 1 }, text: 'text', error: new Error('of the test') };
	for (const [name, cause] of Object.entries(causes)) {
		app.get(`/${name}`, (_request, reply) => answerWith(reply, Promise.reject(cause), () => reply.send('never')));
	}
	app.get('/thrown', (_request, reply) =>
		answerWith(reply, Promise.resolve(), () => {
			throw new Error('of the test');
		}),
	);
	for (const path of [...Object.keys(causes), 'thrown']) {
		assert.equal((await app.inject(`/${path}`)).statusCode, 500, path);
	}
});

test('a listener loads no compiler of schemas, and refuses a route with a schema', async (t) => {
	const { app } = start(t);
	app.get('/plain', (_request, reply) => reply.send('plain'));
	assert.equal((await app.inject('/plain')).body, 'plain');
	const loaded = Object.keys(createRequire(import.meta.url).cache);
	assert.ok(loaded.some((file) => file.includes('find-my-way')));
	assert.deepEqual(
		loaded.filter((file) => /ajv-compiler|fast-json-stringify-compiler/.test(file)),
		[],
	);

	const other = start(t).app;
	other.get('/strict', { schema: { querystring: { type: 'object' } } }, (_request, reply) => reply.send('never'));
	await assert.rejects(async () => other.ready(), /a route must not have a schema/);
});
