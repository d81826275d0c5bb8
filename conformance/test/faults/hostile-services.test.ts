import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endpoints } from '@bursar/contract';
import type { Rule } from '../../src/run/rule.ts';
import { outcomeLines } from '../../src/words.ts';
import { onEnvelope } from '../support/bug.ts';
import { startCommand } from '../support/command.ts';
import { startForwardingServer } from '../support/forwarding-server.ts';
import { failuresOf, namesOf, runSuite } from '../support/run-suite.ts';
import { startTestedService } from '../support/tested-service.ts';
import { startDifferentServer } from '../support/wrong-server.ts';

test('a service passes behind a proxy, even if the proxy closes each connection', async (t) => {
	const { url, acme, bolt } = await startTestedService(t);
	for (const isClosing of [false, true]) {
		const front = await startForwardingServer(t, url, { isClosing });
		// Calls ask to close their connection themselves. Only some rules keep one open.
		const ofCalls = isClosing ? [] : ['order', 'paths', 'create-fee'];
		const choose = { only: [...ofCalls, 'connections', 'every-answer', 'spending'] };
		const report = await runSuite(front, acme.token, { secondToken: bolt.token, choose });
		assert.deepEqual(failuresOf(report), []);
		assert.ok(namesOf(report, 'passed').includes('connections.head'));
		const closed = isClosing ? ['connections.kept-connection', 'connections.pipelining'] : [];
		assert.deepEqual(namesOf(report, 'not_testable'), closed);
	}
});

test('an auth key that no header can carry fails the rule about its form, and the run goes on', async (t) => {
	const { url, acme } = await startTestedService(t);
	const key = '\u043a\u043b\u044e\u0447\nof a wrong form';
	const front = await startDifferentServer(
		t,
		url,
		onEnvelope(({ data, ...rest }) => ({
			...rest,
			data: data?.proxy_authkey ? { ...data, proxy_authkey: key } : data,
		})),
	);
	const report = await runSuite(front, acme.token, { choose: { only: ['authentication', 'reads', 'auth-keys'] } });
	assert.ok(namesOf(report, 'failed').includes('reads.auth-keys'));
	assert.ok(namesOf(report, 'not_testable').includes('authentication.auth-key-is-no-token'));
	assert.ok(!JSON.stringify(report).includes('of a wrong form'));
});

test('a check that comes to no end of its own is a failure without secrets, and the others are tested', async (t) => {
	const { url, acme } = await startTestedService(t);
	const rule = { basis: 'bursar', guarantee: 'It holds.', source: 'docs/api.md 4.2 Status and code' } as const;
	const rules: readonly Rule[] = [
		{ ...rule, name: 'odd.one', check: async ({ api }) => Promise.reject(new TypeError(`no ${api.token}`)) },
		{ ...rule, name: 'odd.two', check: async ({ api }) => void (await api.create({ username: 'x' })) },
		{ ...rule, name: 'even.one', check: async () => {} },
	];
	const report = await runSuite(url, acme.token, { rules });
	assert.deepEqual(namesOf(report, 'failed'), ['odd.one', 'odd.two']);
	assert.deepEqual(namesOf(report, 'passed'), ['even.one']);
	assert.match(JSON.stringify(report), /TypeError: no \[redacted\]/);
	assert.equal(report.outcome.creates, 0, 'no call was made without notice');
});

test('a token that the service sends as a name is in nothing that the suite says', async (t) => {
	const { url, acme } = await startTestedService(t);
	const front = await startDifferentServer(
		t,
		url,
		onEnvelope(({ data, ...rest }) => ({ ...rest, data: data?.username ? { ...data, username: acme.token } : data })),
	);
	const said: string[] = [];
	const report = await runSuite(front, acme.token, { choose: { only: ['reads'] }, say: (line) => said.push(line) });
	const all = [said.join('\n'), outcomeLines(report.outcome).join('\n'), JSON.stringify(report.results)];
	for (const text of all) assert.ok(text.includes('[redacted]') && !text.includes(acme.token), text);
});

test('if one answer is missing, none of the rules about every answer passes', async (t) => {
	const { url, acme } = await startTestedService(t);
	const front = await startForwardingServer(t, url, {
		instead(request, response) {
			const isDropped = request.url === '/nothing';
			if (isDropped) response.destroy();
			return isDropped;
		},
	});
	const report = await runSuite(front, acme.token, { choose: { only: ['every-answer'] } });
	assert.deepEqual(namesOf(report, 'passed'), []);
	assert.ok(namesOf(report, 'failed').length > 10);
});

test('a service that stops answering is asked by three rules, and then no more', async (t) => {
	const { url, acme } = await startTestedService(t);
	let answered = 0;
	let dropped = 0;
	const front = await startForwardingServer(t, url, {
		instead(_request, response) {
			const isDropped = ++answered > 5;
			if (isDropped) response.destroy();
			if (isDropped) dropped++;
			return isDropped;
		},
	});
	const report = await runSuite(front, acme.token);
	assert.ok(report.outcome.isUnanswered);
	assert.ok(namesOf(report, 'failed').length >= 3 && namesOf(report, 'passed').length < 3);
	const reasons = report.results.map(({ verdict }) => (verdict.kind === 'not_testable' ? verdict.reason : ''));
	assert.match(reasons.at(-1) ?? '', /answered nothing in 3 previous rules/);
	assert.ok(dropped <= 10, `${dropped} calls got no answer`);
});

test('connections that end without an answer to invalid HTTP do not stop the run', async (t) => {
	const { url, acme } = await startTestedService(t);
	const front = await startDifferentServer(t, url, { answerBytes: () => '' });
	const report = await runSuite(front, acme.token, { choose: { only: ['http', 'connections', 'every-answer'] } });
	assert.ok(!report.outcome.isUnanswered);
	assert.ok(namesOf(report, 'failed').includes('http.no-http'));
	assert.ok(namesOf(report, 'passed').includes('every-answer.timestamp'));
});

test('a second signal ends a run against a hanging service at once', async (t) => {
	const { url, acme } = await startTestedService(t);
	let gives = 0;
	const front = await startForwardingServer(t, url, {
		// Nothing is answered after the second give, when a sub-user exists and may hold balance.
		instead: ({ url = '' }) => {
			if (url === endpoints.giveBalance.path) gives++;
			return gives > 2;
		},
	});
	const { child, ended } = startCommand(t, ['--url', front, '--only', 'transfers'], { BURSAR_TOKEN: acme.token });
	while (gives <= 2) await setTimeout(20);
	const startedAt = performance.now();
	child.kill('SIGINT');
	await setTimeout(700);
	child.kill('SIGINT');
	const { code, stdout, stderr } = await ended;
	assert.equal(code, 130, stderr);
	assert.ok(performance.now() - startedAt < 8000);
	assert.doesNotMatch(stdout, /^ *not ok/m);
	assert.match(stderr, /^left {6}balance that was not taken back:\n {10}conf\w{6}\.1k: unknown$/m);
});
