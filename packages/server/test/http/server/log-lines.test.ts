import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '@bursar/contract';
import { DASHBOARD_API } from '@bursar/contract/dashboard';
import { edgeRoutes } from '@bursar/contract/edge';
import { call } from '@bursar/testing/api';
import { callEdge } from '@bursar/testing/edge';
import { sendRequest } from '@bursar/testing/send-request';
import { startTestService } from '@bursar/testing/service';
import { newEdgeKey, newToken } from '../../../src/credentials.ts';
import { traceIdOf } from '../../../src/http/server/traceparent.ts';
import { wholeFile } from '../../support/whole-file.ts';

const CLIENT = '198.51.100.7';
const FORWARDED = { 'x-forwarded-for': `6.6.6.6, ${CLIENT}` };
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

interface Line {
	readonly [name: string]: unknown;
}

const text: string[] = [];
const {
	url,
	edgeUrl = '',
	openReseller,
	openEdge,
	readEdges,
} = await startTestService(
	wholeFile,
	{
		BURSAR_LOG_LEVEL: 'debug',
		BURSAR_DASHBOARD: '1',
		BURSAR_EDGE_PORT: '0',
		BURSAR_TRUSTED_PROXIES: '127.0.0.1',
	},
	{},
	{ write: (line) => void text.push(line) },
);

/** The line of the request with this answer. */
function lineOf({ headers }: { readonly headers: Headers }): Line {
	const id = headers.get('x-request-id');
	const lines = text.map((line) => JSON.parse(line) as Line).filter(({ requestId }) => requestId === id);
	assert.equal(lines.length, 1);
	return lines[0] as Line;
}

function who({ reseller, edge, address, tokenTail, status }: Line) {
	return { reseller, edge, address, tokenTail, status };
}

test('a line of a request says who asked: the reseller, the true address, and the end of the token', async () => {
	const { token } = await openReseller('acme', 1000);
	const tokenTail = token.slice(-4);
	const known = { reseller: 'acme', edge: undefined, address: CLIENT, tokenTail };
	for (const headers of [FORWARDED, { ...FORWARDED, traceparent: TRACEPARENT }]) {
		const answer = await call(url, endpoints.myInfo.path, { token, headers });
		assert.deepEqual(who(lineOf(answer)), { ...known, status: 200 });
	}
	const body = { username: 'nobody', amount_usd_cents: 1 };
	const refused = await call(url, endpoints.giveBalance.path, { token, body, headers: FORWARDED });
	assert.deepEqual(who(lineOf(refused)), { ...known, status: 404 });
	const direct = await call(url, endpoints.myInfo.path, { token });
	assert.equal(lineOf(direct).address, '127.0.0.1');
	assert.ok(!text.join('').includes(token));
});

test('a line of a 401 has the address, and the end of what was sent only if it has the form of a token', async () => {
	const { token } = newToken();
	const askWith = async (authorization?: string) => {
		const headers = { ...FORWARDED, ...(authorization !== undefined && { authorization }) };
		return lineOf(await call(url, endpoints.myInfo.path, { headers }));
	};
	const unknown = { reseller: undefined, edge: undefined, address: CLIENT, status: 401 };
	assert.deepEqual(who(await askWith(`Bearer ${token}`)), { ...unknown, tokenTail: token.slice(-4) });
	const wrongChecksum = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
	for (const sent of [undefined, 'Bearer', `Bearer ${wrongChecksum}`, `Bearer ${token}x`, 'Bearer secret', token]) {
		assert.deepEqual(who(await askWith(sent)), { ...unknown, tokenTail: undefined }, String(sent));
	}
});

test('the trace id of a valid traceparent is in the line, and the answer is as without it', async () => {
	const traced = await call(url, endpoints.myInfo.path, { headers: { traceparent: TRACEPARENT } });
	const plain = await call(url, endpoints.myInfo.path);
	assert.equal(lineOf(traced).traceId, TRACE_ID);
	assert.equal(lineOf(plain).traceId, undefined);
	assert.deepEqual([...traced.headers.keys()], [...plain.headers.keys()]);
});

test('a traceparent is read strictly', () => {
	const parent = '00f067aa0ba902b7';
	for (const valid of [TRACEPARENT, `00-${TRACE_ID}-${parent}-ff`, `01-${TRACE_ID}-${parent}-00-more`]) {
		assert.equal(traceIdOf(valid), TRACE_ID, valid);
	}
	for (const invalid of [
		undefined,
		'',
		TRACE_ID,
		TRACEPARENT.toUpperCase(),
		`${TRACEPARENT}-more`,
		`${TRACEPARENT}\n`,
		`${TRACEPARENT}, ${TRACEPARENT}`,
		`01-${TRACE_ID}-${parent}-01-a, 01-${TRACE_ID}-${parent}-01`,
		`ff-${TRACE_ID}-${parent}-01`,
		`00-${'0'.repeat(32)}-${parent}-01`,
		`00-${TRACE_ID}-${'0'.repeat(16)}-01`,
		`00-${TRACE_ID}0-${parent}-01`,
		`00-${TRACE_ID}-${parent}-1`,
		`0-${TRACE_ID}-${parent}-01`,
	]) {
		assert.equal(traceIdOf(invalid), undefined, String(invalid));
	}
});

test('a line of an edge has its name and the end of its key, also when the key is refused', async () => {
	const key = await openEdge('gw');
	await readEdges();
	const body = { counters: [] };
	const counted = await callEdge(edgeUrl, edgeRoutes.usage.path, { key, body, headers: FORWARDED });
	const known = { reseller: undefined, edge: 'gw', address: CLIENT, tokenTail: key.slice(-4), status: 200 };
	assert.deepEqual(who(lineOf(counted)), known);
	const stranger = newEdgeKey().key;
	const refused = await callEdge(edgeUrl, edgeRoutes.usage.path, { key: stranger, body });
	assert.deepEqual(who(lineOf(refused)), {
		...{ ...known, edge: undefined, address: '127.0.0.1' },
		...{ tokenTail: stranger.slice(-4), status: 401 },
	});
});

test('lines of pages and of paths that do not exist have the address', async () => {
	for (const path of ['/nowhere', `${DASHBOARD_API}/session`, '/openapi.json']) {
		const answer = await sendRequest(url + path, { method: 'GET', headers: FORWARDED });
		assert.equal(lineOf(answer).address, CLIENT, path);
	}
});
