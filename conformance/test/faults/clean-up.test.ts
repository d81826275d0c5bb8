import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import { startCommand } from '../support/command.ts';
import { asFailure, isCallOf, jsonOf, withEnvelope } from '../support/differences.ts';
import { namesOf, runSuite } from '../support/run-suite.ts';
import { startTestedService } from '../support/tested-service.ts';
import { startDifferentServer } from '../support/wrong-server.ts';

const NEARLY_ALL_CENTS = 900_000;

for (const [signal, exitCode] of [
	['SIGINT', 130],
	['SIGTERM', 143],
] as const) {
	test(`${signal} while a sub-user holds the whole balance ends the run and takes everything back`, async (t) => {
		const { url, acme, api } = await startTestedService(t);
		const before = (await api.myInfo()).data.balance;
		let stop = () => {};
		const front = await startDifferentServer(t, url, {
			async call(request, forward) {
				const reply = await forward(request);
				const isGive = isCallOf(request, endpoints.giveBalance) && reply.status === 200;
				if (isGive && jsonOf(request).amount_usd_cents > NEARLY_ALL_CENTS) {
					stop();
					await setTimeout(100);
				}
				return reply;
			},
		});
		const args = ['--url', front, '--only', 'transfers', 'spending'];
		const { child, ended } = startCommand(t, args, { BURSAR_TOKEN: acme.token });
		let isSent = false;
		stop = () => {
			if (isSent) return;
			isSent = true;
			// A terminal sends it twice, once through npm.
			child.kill(signal);
			child.kill(signal);
		};
		const { code, stdout, stderr } = await ended;
		assert.ok(isSent);
		assert.equal(code, exitCode, stderr);
		assert.match(stderr, /^Stopped\./m);
		assert.doesNotMatch(stdout, /^ *not ok/m, 'a healthy service fails no rule');
		assert.match(stdout, /^ *ok \d+ - spending\.every-cent # SKIP the run was stopped earlier$/m);
		assert.match(stderr, /^The run was stopped early\.$/m);
		assert.match(stderr, /^left {6}nothing/m);
		const fees = Math.round(100 * Number(/: (\d+\.\d\d) USD \(at most/.exec(stderr)?.[1]));
		assert.equal((await api.myInfo()).data.balance, before - fees);
	});
}

test('a service that gives no balance back is reported with the amount, and the run goes on', async (t) => {
	const { url, acme } = await startTestedService(t);
	const front = await startDifferentServer(t, url, {
		async call(request, forward) {
			if (!isCallOf(request, endpoints.takeBalance)) return forward(request);
			const reply = await forward({ ...request, path: endpoints.viewSubUser.path });
			return reply.status === 200 ? asFailure(reply, 402, 'insufficient_balance') : reply;
		},
	});
	const report = await runSuite(front, acme.token, { choose: { only: ['transfers', 'spending'] } });
	const [left, ...others] = report.outcome.leftBehind;
	assert.deepEqual(others, []);
	assert.ok(left?.username.startsWith(report.outcome.prefix));
	assert.ok((left?.balanceCents ?? 0) > 0);
	for (const name of ['transfers.take', 'spending.every-cent'])
		assert.ok(namesOf(report, 'failed').includes(name), name);
});

test('a service that breaks connections fails the rules that get no answer', async (t) => {
	const { url, acme } = await startTestedService(t);
	const front = await startDifferentServer(t, url, {
		async call(request, forward) {
			if (isCallOf(request, endpoints.viewAllSubUsers)) throw new Error('gone');
			return forward(request);
		},
	});
	const report = await runSuite(front, acme.token, { choose: { only: ['reads', 'create', 'spending'] } });
	const failed = namesOf(report, 'failed');
	assert.ok(failed.includes('reads.view-all') && failed.includes('create.is-read-afterwards'));
	assert.ok(namesOf(report, 'passed').includes('reads.my-info'));
	const [result] = report.results.filter(({ name }) => name === 'reads.view-all');
	assert.ok(result?.verdict.kind === 'failed');
	assert.match(result.verdict.actual, /connection was broken/);
});

test('a secret that a wrong service repeats in its answers is in no report', async (t) => {
	const { url, acme, bolt, api } = await startTestedService(t);
	const front = await startDifferentServer(t, url, {
		async call(request, forward) {
			const reply = await forward(request);
			const { authorization = '' } = request.headers;
			return withEnvelope(reply, (envelope) => ({
				...envelope,
				message: `${request.path} ${authorization}`,
				data: { proxy_authkey: 'k'.repeat(16), ...envelope.data, token: authorization.slice('Bearer '.length) },
			}));
		},
	});
	// Each kind of call, with both tokens, and on raw connections.
	const choose = {
		only: [
			...['paths.unknown', 'authentication.unknown-token', 'authentication.auth-key-is-no-token', 'reads', 'create'],
			...['auth-keys.reset-answer', 'auth-keys.reset-replaces', 'usage', 'isolation.foreign', 'http', 'connections'],
		],
	};
	const report = await runSuite(front, acme.token, { secondToken: bolt.token, choose });
	assert.ok(namesOf(report, 'failed').length > 15);
	const text = JSON.stringify(report);
	assert.ok(text.includes('[redacted]'));
	const accounts = [(await api.myInfo()).data, ...(await api.viewAll()).data];
	const keys = accounts.map(({ proxy_authkey }) => proxy_authkey);
	for (const secret of [acme.token, bolt.token, 'k'.repeat(16), acme.token.slice(0, -1), ...keys]) {
		assert.ok(!text.includes(secret));
	}
});

test('a reader that closes the output does not keep the run from taking everything back', async (t) => {
	const { url, acme, api } = await startTestedService(t);
	const { child, ended } = startCommand(t, ['--url', url, '--only', 'create', 'transfers'], {
		BURSAR_TOKEN: acme.token,
	});
	child.stdout?.once('data', () => child.stdout?.destroy());
	const { code, stderr } = await ended;
	assert.equal(code, 0, stderr);
	const { data } = await api.viewAll();
	assert.ok(data.length > 5);
	for (const { username, balance } of data) assert.equal(balance, 0, username);
});
