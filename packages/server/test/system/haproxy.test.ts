import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { assertFailure, call } from '@bursar/testing/api';
import type { ServerProcess } from '@bursar/testing/bursar-process';
import { eventually } from '@bursar/testing/eventually';
import { startPostgres } from '@bursar/testing/postgres-server';
import { startHaproxy } from '../support/haproxy.ts';
import type { Operation } from '../support/load.ts';
import { serveDatabase } from '../support/served-database.ts';

const PROCESSES = 3;
const SENDERS = 24;
const GIVE = endpoints.giveBalance.path;

const postgres = await startPostgres();
after(() => postgres.remove());

test('requests and answers pass through HAProxy unchanged', async (t) => {
	const { haproxy, servers, workload } = await serveBehindHaproxy(t);
	const { token } = workload;

	// Each call checks the envelope and its headers.
	const { status, headers } = await call(haproxy.url, endpoints.myInfo.path, { token });
	assert.equal(status, 200);
	const logged = ` {${headers.get('x-request-id')}} `;
	await eventually(async () => assert.ok(haproxy.log().includes(logged), haproxy.log()));
	assertFailure(await call(haproxy.url, '/nowhere'), 404, 'not_found');
	assertFailure(await call(haproxy.url, endpoints.myInfo.path, { token: 'brs_wrong' }), 401, 'unauthorized');

	// The service's limits apply, not smaller ones of HAProxy.
	const longHeader = await call(haproxy.url, endpoints.myInfo.path, {
		token,
		headers: { 'x-long': 'a'.repeat(15_500) },
	});
	assert.equal(longHeader.status, 200);
	const tooLong = await call(haproxy.url, endpoints.myInfo.path, { token, headers: { 'x-long': 'a'.repeat(17_000) } });
	assert.equal(tooLong.status, 431);
	const largeBody = JSON.stringify({ username: 'a'.repeat(200_000) });
	assertFailure(await call(haproxy.url, GIVE, { token, body: largeBody }), 413, 'payload_too_large');

	const before = await Promise.all(servers.map(requestsTo));
	await Promise.all(Array.from({ length: 30 }, () => call(haproxy.url, endpoints.myInfo.path, { token })));
	const after = await Promise.all(servers.map(requestsTo));
	for (const [index, count] of after.entries())
		assert.ok(count > (before[index] as number), 'a server got no requests');
});

test('HAProxy says where a client comes from, whatever the client says and however it writes the path', async (t) => {
	const heard: unknown[] = [];
	const server = createServer((request, response) => {
		heard.push(request.headers['x-forwarded-for']);
		response.end();
	}).listen(0, '127.0.0.1');
	t.after(() => server.close());
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const haproxy = await startHaproxy(t, Array(PROCESSES).fill({ url, opsUrl: url }));
	await eventually(async () => assert.equal(await haproxy.status('bursar/bursar1'), 'UP'));
	heard.length = 0;
	const paths = [
		'/dashboard/api/sign-in',
		'/%64ashboard/api/sign-in',
		'//dashboard/api/sign-in',
		'/reseller/my_info',
		'/',
	];
	for (const path of paths) {
		const connection = connect(Number(new URL(haproxy.url).port), '127.0.0.1');
		const forged = 'X-Forwarded-For: 6.6.6.6\r\nx-forwarded-for: 7.7.7.7\r\n';
		connection.end(`POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${forged}Content-Length: 0\r\n\r\n`);
		assert.match(await text(connection), /^HTTP\/1.1 200 /);
	}
	assert.deepEqual(
		heard.filter((said) => said !== undefined),
		paths.map(() => '127.0.0.1'),
	);
});

test('if a server is drained before it is stopped, every client gets its answer', async (t) => {
	const { haproxy, servers, workload, effects } = await serveBehindHaproxy(t);
	const [first] = servers as [ServerProcess];
	const load = startGives(t, haproxy.url, workload);
	await load.answered(200);

	await haproxy.command('set server bursar/bursar1 state drain');
	// Waits for requests under way.
	await setTimeout(500);
	const before = await requestsTo(first);
	await load.answered(200);
	assert.equal(await requestsTo(first), before, 'a drained server got new requests');
	assert.equal((await first.kill('SIGTERM')).code, 0);
	await load.answered(200);

	assert.deepEqual([...load.answers.keys()], ['200']);
	await effects.check(await load.stop());
});

test('after SIGTERM and SIGKILL of servers under load, acknowledged gives are done once, others at most once', async (t) => {
	const { haproxy, servers, workload, effects, assertLedgerInOrder } = await serveBehindHaproxy(t);
	const [stopped, killed] = servers as [ServerProcess, ServerProcess];
	const load = startGives(t, haproxy.url, workload);
	await load.answered(200);

	assert.equal((await stopped.kill('SIGTERM')).code, 0);
	await eventually(async () => assert.equal(await haproxy.status('bursar/bursar1'), 'DOWN'));
	t.diagnostic(`after SIGTERM: ${JSON.stringify(Object.fromEntries(load.answers))}`);
	assert.ok((load.answers.get('unavailable') ?? 0) > 0, 'the service refused no late request');
	// A request may still arrive just as its connection is being closed.
	const unanswered = load.operations.filter(({ reply }) => reply.kind !== 'answered');
	assert.ok(unanswered.length <= 2, `${unanswered.length} gives got no answer`);

	await killed.kill('SIGKILL');
	await eventually(async () => assert.equal(await haproxy.status('bursar/bursar2'), 'DOWN'));
	await load.answered(200);
	const operations = await load.stop();
	t.diagnostic(`after SIGKILL: ${JSON.stringify(Object.fromEntries(load.answers))}`);
	// An answer without `X-Error-Code` is HAProxy's; `lost` is a connection that ended without one.
	for (const answer of load.answers.keys()) {
		assert.match(answer, /^(200|unavailable|lost|50[234] of the balancer)$/);
	}
	const counts = await effects.check(operations);
	t.diagnostic(JSON.stringify(counts));
	await assertLedgerInOrder();
});

test('without a database the service answers; without the service HAProxy answers', async (t) => {
	const { haproxy, servers, workload } = await serveBehindHaproxy(t);
	const [username] = workload.usernames as [string];
	const give = { token: workload.token, body: { username, amount_usd_cents: 1 } };
	await postgres.stop('fast');
	try {
		await eventually(async () => {
			for (const backend of ['bursar', 'bursar_not_ready']) {
				for (let number = 1; number <= PROCESSES; number++) {
					const expected = backend === 'bursar' ? 'DOWN' : 'UP';
					assert.equal(await haproxy.status(`${backend}/bursar${number}`), expected);
				}
			}
		}, 10_000);
		assertFailure(await call(haproxy.url, GIVE, give), 503, 'unavailable');
	} finally {
		await postgres.start();
	}
	await eventually(async () => assert.equal((await call(haproxy.url, GIVE, give)).status, 200), 10_000);

	for (const server of servers) await server.kill('SIGKILL');
	const response = await fetch(haproxy.url + endpoints.myInfo.path);
	assert.equal(response.status, 503);
	assert.equal(response.headers.get('x-error-code'), null);
	assert.match(await response.text(), /^<html>/);
});

async function serveBehindHaproxy(t: TestContext) {
	const served = await serveDatabase(t, await postgres.createDatabase(), { processes: PROCESSES, connections: 4 });
	return { ...served, haproxy: await startHaproxy(t, served.servers) };
}

interface Gives {
	/** How often each answer came. */
	readonly answers: ReadonlyMap<string, number>;
	readonly operations: readonly Operation[];
	/** Resolves when `count` more gives have succeeded. */
	answered(count: number): Promise<void>;
	stop(): Promise<readonly Operation[]>;
}

/** Sends gives with unique amounts, so that each can be found in the ledger. None is repeated. */
function startGives(
	t: TestContext,
	url: string,
	{ token, usernames }: { token: string; usernames: readonly string[] },
): Gives {
	const answers = new Map<string, number>();
	const operations: Operation[] = [];
	let number = 10 ** 6;
	let stopped = false;
	t.after(() => {
		stopped = true;
	});

	async function give(username: string): Promise<void> {
		const amount = ++number;
		const sinceMs = performance.now();
		const reply = await sendGive(url, token, { username, amount_usd_cents: amount });
		const answer = reply.kind === 'answered' ? String(reply.errorCode ?? reply.status) : reply.name;
		answers.set(answer, (answers.get(answer) ?? 0) + 1);
		const tookMs = performance.now() - sinceMs;
		operations.push({ number: amount, kind: 'give', username, connection: username, reply, tookMs });
		// Waits after a failure, because it can come at once.
		if (answer !== '200') await setTimeout(20);
	}
	const running = Array.from({ length: SENDERS }, async (_, sender) => {
		while (!stopped) await give(usernames[sender % usernames.length] as string);
	});
	return {
		answers,
		operations,
		async answered(count) {
			const before = answers.get('200') ?? 0;
			await eventually(async () => assert.ok((answers.get('200') ?? 0) >= before + count), 10_000);
		},
		async stop() {
			stopped = true;
			await Promise.all(running);
			return operations;
		},
	};
}

type GiveReply = Extract<Operation['reply'], { kind: 'answered' }> | { readonly kind: 'lost'; readonly name: string };

/** A failure without `X-Error-Code` is not from the service, so it counts as a lost answer. */
async function sendGive(url: string, token: string, body: unknown): Promise<GiveReply> {
	try {
		const response = await fetch(url + GIVE, {
			method: 'POST',
			headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const text = await response.text();
		const errorCode = response.headers.get('x-error-code');
		if (response.status !== 200 && errorCode === null) {
			return { kind: 'lost', name: `${response.status} of the balancer` };
		}
		return {
			kind: 'answered',
			status: response.status,
			errorCode,
			requestId: response.headers.get('x-request-id') as string,
			mayRepeat: response.headers.has('retry-after'),
			data: JSON.parse(text).data,
		};
	} catch {
		return { kind: 'lost', name: 'lost' };
	}
}

/** The number of requests that a process has answered. */
async function requestsTo({ opsUrl }: ServerProcess): Promise<number> {
	const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
	const counts = metrics.matchAll(/^bursar_http_requests_total\{[^}]*\} (\d+)/gm);
	return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
