import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints, ownEndpoints } from '@bursar/contract';
import type { Exchange, Forward, Reply } from '@bursar/testing/http-relay';
import { allRules } from '../../src/rules/all.ts';
import { isCallOf, type Json, withEnvelope, withHeader } from '../support/differences.ts';
import { failuresOf, namesOf, runSuite } from '../support/run-suite.ts';
import { startTestedService } from '../support/tested-service.ts';
import { type Difference, startDifferentServer } from '../support/wrong-server.ts';

const SETTLED_MESSAGE = 'that username is already registered';

/** Everything that another service may do differently. */
const otherWays = {
	async call(request: Exchange, forward: Forward) {
		const reply = await forward(request);
		const shuffled = [endpoints.viewAllSubUsers, endpoints.viewUsage].some((endpoint) => isCallOf(request, endpoint));
		return withOtherWords(
			withEnvelope(reply, ({ status, message, timestamp, data }) => ({
				data: reversed(shuffled && Array.isArray(data) ? data.toReversed() : data),
				timestamp: timestamp - 2,
				status,
				message: message === SETTLED_MESSAGE ? message : otherMessage(message),
			})),
		);
	},
} satisfies Difference;

function otherMessage(message: string): string {
	return message === '' ? 'This API moves in May.' : `Sorry: ${message.length}`;
}

/** Fields in another order, at every depth. */
function reversed(data: Json): Json {
	if (Array.isArray(data)) return data.map(reversed);
	if (typeof data !== 'object' || data === null) return data;
	return Object.fromEntries(Object.entries(data).reverse());
}

function withOtherWords(reply: Reply): Reply {
	const named = withHeader(withHeader(reply, 'server', 'another'), 'content-type', 'application/json');
	const cached = withHeader(named, 'cache-control', 'private, No-Store');
	const challenge = reply.headers['www-authenticate'];
	if (challenge === undefined) return cached;
	const realm = challenge.includes('error') ? 'Bearer realm="api", error="invalid_token"' : 'bearer realm="api"';
	return withHeader(cached, 'www-authenticate', realm);
}

const OWN_HEADERS = ['x-request-expires', 'x-change-id'];
const OWN_GROUPS = ['expiry', 'change-ids', 'life', 'deletes', 'pages', 'statement'];
const isOwn = (name: string) => OWN_GROUPS.some((group) => name.startsWith(`${group}.`));

/** It also does not know Bursar's own endpoints and headers, nor names these in its answers. */
const withoutOwnParts = {
	async call(request: Exchange, forward: Forward) {
		const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !OWN_HEADERS.includes(name)));
		const answer = async (known: Exchange) =>
			OWN_HEADERS.reduce((reply, name) => withHeader(reply, name), await forward(known));
		const isOwnCall = Object.values(ownEndpoints).some(({ path }) => path === request.path);
		return otherWays.call({ ...request, headers, ...(isOwnCall && { path: '/nothing' }) }, answer);
	},
	bytes: () => (text: string) => text.replace(/^(?:x-request-expires|x-change-id): .*\r\n/gm, ''),
} satisfies Difference;

test('a service that differs in details and has nothing of Bursar alone passes, and the rules of that are not testable', async (t) => {
	const { url, acme, bolt } = await startTestedService(t);
	const other = await startDifferentServer(t, url, withoutOwnParts);
	const report = await runSuite(`${other}/`, acme.token, { secondToken: bolt.token });
	assert.deepEqual(failuresOf(report), []);
	assert.ok(namesOf(report, 'passed').length > 100);
	const own = allRules.map(({ name }) => name).filter(isOwn);
	assert.ok(own.length > 20);
	assert.deepEqual(namesOf(report, 'not_testable').filter(isOwn), own);
	const reasons = report.results.map(({ verdict }) => (verdict.kind === 'not_testable' ? verdict.reason : ''));
	assert.ok(reasons.some((reason) => reason.includes('does not offer it: POST /reseller/sub_users/view_page')));
	for (const name of ['X-Request-Expires', 'X-Change-Id']) {
		assert.ok(reasons.some((reason) => reason.includes(`have no ${name}`)));
	}
});

test('a service that differs in details keeps the rules that Bursar alone has', async (t) => {
	const { url, acme, bolt } = await startTestedService(t);
	const other = await startDifferentServer(t, url, otherWays);
	const choose = { only: [...OWN_GROUPS, 'every-answer', 'spending'] };
	const report = await runSuite(`${other}/`, acme.token, { secondToken: bolt.token, choose });
	assert.deepEqual(failuresOf(report), []);
	assert.ok(namesOf(report, 'passed').filter(isOwn).length > 20);
});

test('the base address may have a path of its own', async (t) => {
	const { url, acme, bolt } = await startTestedService(t);
	const below: Difference = {
		call: (request, forward) => forward({ ...request, path: request.path.replace(/^\/billing\/v1/, '') }),
	};
	const other = await startDifferentServer(t, url, below);
	// Each kind of call, but not on shared connections: those are passed through with a path that the service does not know.
	const choose = {
		only: [
			...['paths', 'authentication.unknown-token', 'reads', 'create', 'transfers.give', 'transfers.take'],
			...['auth-keys.reset-answer', 'usage', 'spending'],
		],
	};
	const report = await runSuite(`${other}/billing/v1`, acme.token, { secondToken: bolt.token, choose });
	assert.deepEqual(failuresOf(report), []);
});
