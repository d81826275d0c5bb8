import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { allEndpoints, endpoints } from '@bursar/contract';
import { OPERATOR_API, type OperatorOperationName, operatorOperations } from '@bursar/contract/operator';
import { type Answer, assertFailure, call, operatorApi, resellerApi } from '@bursar/testing/api';
import { eventually } from '@bursar/testing/eventually';
import { documentedRequests } from '../../support/documented-requests.ts';
import { startEdgeService } from '../../support/edge-service.ts';

const { createSubUserWith, viewAccount, viewDetails, viewSubUserPage, viewStatementPage, viewChange } = allEndpoints;
const { suspendSubUser, resumeSubUser, setLimits, deleteSubUser, createToken } = allEndpoints;
const { giveBalance, takeBalance, viewSubUser, resetAuthKey } = endpoints;
const PAGE = 'docs/billing-modules.md';
/** When the page was written, by its own dates. */
const PAGE_MS = Date.parse('2026-11-21T09:30:00Z');
/** What is another value in each run. */
const OWN_VALUES = new Set(['id', 'proxy_authkey', 'date_created', 'timestamp', 'request_id']);
const NAME = 'hostco.1042';

test('a module that makes the requests of the page sells a service and ends it, and a repeat changes nothing', async (t) => {
	const service = await startEdgeService(t, { BURSAR_OPERATOR_PORT: '0' });
	const { url, edge } = service;
	/** The further token that the page demands, of a new reseller. */
	async function openReseller(username: string, balanceCents: number): Promise<string> {
		const { token } = await service.openReseller(username, balanceCents);
		const expires_at = new Date(Date.now() + 86_400_000).toISOString();
		const body = { name: 'billing', scopes: ['read', 'sub_users', 'money'], expires_at };
		return (await call(url, createToken.path, { token, body })).data.token;
	}
	const priced = await openReseller('hostco', 100_000);
	const free = await openReseller('freeco', 1_000);
	await service.setPrice('hostco', 3_500_000);
	const operatorUrl = service.operatorUrl as string;
	const operatorToken = await service.openOperatorToken('billing');
	const operator = operatorApi(operatorUrl, operatorToken);
	const laterMs = Date.now() - PAGE_MS;
	const today = new Date().toISOString().slice(0, 10);
	const left = documentedRequests(PAGE).values();
	const shown = shownAnswers();

	const expiresInSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);

	/** The money, the sub-users and the resellers of all. */
	const everything = async () =>
		Promise.all([
			...[priced, free].flatMap((token) =>
				[viewAccount, viewSubUserPage, viewStatementPage].map(
					async ({ path }) => (await call(url, path, { token, body: {} })).data,
				),
			),
			operator('viewResellerPage', {}).then(({ data }) => data),
		]);

	/** Sends the next request of the page twice, which must be to this path. Resolves with the first answer. */
	async function next(path: string, token: string, origin = url): Promise<Answer> {
		const { value: request } = left.next();
		assert.equal(request?.path, path, request?.name ?? 'the page has no further request');
		const id = request.headers['X-Change-Id'];
		assert.equal(request.name.includes('$EXPIRES'), id !== undefined, `${request.name}: each change has an expiry`);
		const expires = expiresInSeconds(30);
		const body = later(request.body ?? '').replace(/"(from|to)":"[^"]+"/g, `"$1":"${today}"`);
		const send = () =>
			call(origin, path, { token, body, headers: { ...request.headers, ...(id && { 'x-request-expires': expires }) } });
		const answer = await send();
		assert.equal(answer.status, 200, `${request.name}\n${answer.text}`);
		if (id) {
			assert.equal(answer.headers.get('x-change-id'), id);
			assert.equal(answer.headers.get('x-request-expires'), expires);
		}
		const expected = shown.get(request.name);
		if (expected) assert.deepEqual(comparable(answer.text, 'data'), comparable(later(expected)), request.name);

		const before = await everything();
		const again = await send();
		if (id === undefined || path === viewAccount.path) assert.deepEqual(again.data, answer.data);
		else {
			assertFailure(again, 409, 'change_repeated', request.name);
			assert.equal(again.data.change.change_id, id);
		}
		assert.deepEqual(await everything(), before, `${request.name}: a repeat changes nothing`);
		return answer;
	}
	const later = (text: string) =>
		text.replace(/\d{4}-\d\d-\d\dT[\d:]+(?:\.000)?Z/g, (at) => new Date(Date.parse(at) + laterMs).toISOString());
	const ofHostco = (endpoint: { readonly path: string }) => next(endpoint.path, priced);

	/** Another request than those of the page. */
	const ask = ({ path }: { readonly path: string }, body: object, headers = {}) =>
		call(url, path, { token: priced, body: { username: NAME, ...body }, headers });

	await ofHostco(viewAccount);
	const sold = (await ofHostco(createSubUserWith)).data;
	const check = async () => (await edge.check({ username: NAME, password: sold.proxy_authkey })).body;
	const refusedFor = (reason: string) =>
		eventually(async () => assert.equal(Reflect.get(await check(), 'reason'), reason));
	await ofHostco(viewSubUser);
	await ofHostco(viewDetails);
	const used = { counter: 'one', username: NAME, up: 0, down: 4_000_000_000, at: new Date().toISOString() };
	assert.equal((await edge.usage({ counters: [used] })).status, 200);
	await ofHostco(viewSubUserPage);
	await ofHostco(suspendSubUser);
	await refusedFor('suspended');
	await ofHostco(resumeSubUser);
	await eventually(async () => assert.equal((await check()).ok, true));

	// A suspend of before the payment arrives only now.
	const late = { 'x-change-id': '20261222-1042-late-suspend', 'x-request-expires': expiresInSeconds(-1) };
	const before = await everything();
	assertFailure(await ask(suspendSubUser, {}, late), 503, 'unavailable');
	assert.deepEqual(await everything(), before, 'a customer who has paid stays open');

	await ofHostco(giveBalance);
	await ofHostco(setLimits);
	const { proxy_authkey: newKey } = (await ofHostco(resetAuthKey)).data;
	assert.notEqual(newKey, sold.proxy_authkey);
	await refusedFor('wrong_pair');
	await ofHostco(giveBalance);
	assert.equal((await ofHostco(setLimits)).data.limits.connections, 200);
	assertFailure(await ask(takeBalance, { amount_usd_cents: 19_601 }), 402, 'insufficient_balance');
	await ofHostco(takeBalance);
	assert.equal((await ofHostco(setLimits)).data.limits.connections, 50);
	await ofHostco(viewChange);
	await ofHostco(viewStatementPage);
	await ofHostco(deleteSubUser);
	assertFailure(await ask(deleteSubUser, {}), 404, 'unknown_sub_user');
	assertFailure(
		await ask(createSubUserWith, {}),
		409,
		'username_taken',
		'it needs another name when it is created again',
	);

	const monthly = (await next(createSubUserWith.path, free)).data;
	assert.deepEqual([monthly.balance, monthly.limits.month_bytes], [0, 10_000_000_000]);
	await next(setLimits.path, free);
	await next(setLimits.path, free);

	const ofOperator = (operation: OperatorOperationName) =>
		next(OPERATOR_API + operatorOperations[operation].path, operatorToken, operatorUrl);
	await ofOperator('viewResellerPage');
	const { token: first } = (await ofOperator('createReseller')).data;
	await ofOperator('setPrice');
	assert.equal((await ofOperator('creditReseller')).data.balance, 5_000);
	await ofOperator('viewUsage');
	await ofOperator('suspendReseller');
	assertFailure(await resellerApi(url, first).create({ username: 'erin.shaw' }), 403, 'suspended');
	await ofOperator('resumeReseller');
	const { token: second } = (await ofOperator('endTokens')).data;
	assert.notEqual(second, first);
	assert.equal(left.next().done, true, 'each request of the page was sent');
});

/** The `data` that the page shows after a request, by the name of the request. */
function shownAnswers(): ReadonlyMap<string, string> {
	const page = readFileSync(new URL(`../../../../../${PAGE}`, import.meta.url), 'utf8');
	const found = page.matchAll(/^```sh\n(curl [^`]+)\n```\n\n(?:[^\n]+:\n\n)?```json\n([^`]+)```$/gm);
	const answers = new Map(Array.from(found, ([, command, answer = '']) => [`${PAGE}: ${command}`, answer] as const));
	assert.equal(answers.size, page.split('```json').length - 1);
	return answers;
}

/** What a JSON text has, or one of its fields, without the values that differ in each run. */
function comparable(text: string, field?: string): unknown {
	const value = JSON.parse(text, (key, value) => (OWN_VALUES.has(key) ? typeof value : value));
	return field === undefined ? value : value[field];
}
