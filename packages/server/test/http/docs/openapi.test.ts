import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { allEndpoints, type Endpoint, type ErrorCode, type Operation } from '@bursar/contract';
import { type CallOptions, call, resellerApi } from '@bursar/testing/api';
import { startTestService, type TestService } from '@bursar/testing/service';
import type { Command, Outcome } from '../../../src/commands/registry.ts';
import { openStore } from '../../../src/engine.ts';
import type { ServiceParts } from '../../../src/service.ts';
import { StoreUnavailableError } from '../../../src/store/reading.ts';
import type { BatchAnswer } from '../../../src/store/store.ts';
import { describedApi } from '../../support/described-api.ts';
import { lintOpenApi } from '../../support/lint-openapi.ts';
import { createProviderInMemory } from '../../support/payment-provider-in-memory.ts';
import { rawCall, requestText } from '../../support/raw-socket.ts';

const operations = Object.entries(allEndpoints) as [Operation, Endpoint][];
const posts = operations.filter(([, { method }]) => method === 'POST');

async function fetchDocument(service: TestService) {
	const response = await fetch(`${service.url}/openapi.json`);
	assert.equal(response.status, 200);
	assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
	// biome-ignore lint/suspicious/noExplicitAny: the document is untyped JSON, as for a client
	return response.json() as any;
}

test('the document passes the recommended rules of Redocly without errors or warnings', async (t) => {
	const document = await fetchDocument(await startTestService(t));
	const { exitCode, problems } = await lintOpenApi(t, document);
	assert.deepEqual(problems, []);
	assert.equal(exitCode, 0);
});

test('Redocly reports an operation without failure responses', async (t) => {
	const document = await fetchDocument(await startTestService(t));
	const { 200: success } = document.paths['/reseller/my_info'].get.responses;
	document.paths['/reseller/my_info'].get.responses = { 200: success };
	const { problems } = await lintOpenApi(t, document);
	assert.deepEqual(
		problems.map(({ ruleId }) => ruleId),
		['operation-4xx-response'],
	);
});

/** Starts a service, and checks each answer against the service's own document. */
async function openDescribed(t: TestContext, parts: ServiceParts = {}) {
	const paymentProviders = new Map([['stripe', createProviderInMemory()]] as const);
	const service = await startTestService(t, {}, { paymentProviders, ...parts });
	const described = describedApi(await fetchDocument(service));
	const seen = new Map(operations.map(([operationId]) => [operationId, new Set<string>()]));
	return {
		service,
		described,
		seen,
		/** Calls the operation, and expects the error code, or success if it is `null`. */
		async expect(operationId: Operation, code: ErrorCode | null, options: CallOptions): Promise<void> {
			const { method, path } = allEndpoints[operationId];
			const answer = await call(service.url, path, { method, ...options });
			assert.equal(answer.errorCode, code, operationId);
			described.assertDescribed(operationId, answer);
			if (code !== null) seen.get(operationId)?.add(code);
		},
	};
}

const FURTHER = { name: 'shop', scopes: ['read'], expires_at: new Date(Date.now() + 86_400_000).toISOString() };

test('the document describes every success', async (t) => {
	const { service, expect } = await openDescribed(t);
	const { token } = await service.openReseller('acme', 5000);
	await expect('myInfo', null, { token });
	await expect('viewAllSubUsers', null, { token });
	await expect('createSubUser', null, { token, body: { username: 'Alice.Smith' } });
	for (const [operationId, { requestExample }] of posts) {
		if (operationId === 'createSubUser' || /Webhook|Token/.test(operationId)) continue;
		await expect(operationId, null, { token, body: requestExample });
	}
	await expect('viewAllSubUsers', null, { token });
	await expect('createWebhook', null, { token, body: allEndpoints.createWebhook.requestExample });
	const [{ id }] = (await resellerApi(service.url, token).viewWebhooks({})).data;
	await expect('viewAllWebhooks', null, { token, body: {} });
	await expect('updateWebhook', null, { token, body: { id, types: null, enabled: true, position: 7 } });
	for (const operationId of ['rotateWebhookSecret', 'testWebhook', 'viewWebhookTries', 'deleteWebhook'] as const) {
		await expect(operationId, null, { token, body: { id } });
	}
	await expect('createToken', null, { token, body: { ...FURTHER, allowed_ips: ['192.0.2.0/24'] } });
	const [further] = (await resellerApi(service.url, token).viewTokens({})).data;
	await expect('viewAllTokens', null, { token, body: {} });
	await expect('endToken', null, { token, body: { id: further.id } });
	// The example of this one names no change that there is.
	for (const [operationId, code, body] of [
		['createSubUser', 'username_taken', { username: 'alice.smith' }],
		['createSubUser', null, { username: 'bruno' }],
		['createSubUserWith', 'username_taken', { username: 'bruno' }],
		['createSubUserWith', null, { username: 'chiara' }],
		['giveBalance', null, { username: 'bruno', amount_usd_cents: 5 }],
		['resetAuthKey', null, { username: 'bruno' }],
	] as const) {
		const change_id = `change-${operationId}-${code}`;
		await expect(operationId, code, { token, body, headers: { 'x-change-id': change_id } });
		await expect('viewChange', null, { token, body: { change_id } });
	}
});

test('the document describes every failure that a request can cause', async (t) => {
	const { service, expect, seen, described } = await openDescribed(t);
	const { token } = await service.openReseller('acme', 1000);
	const { token: poor } = await service.openReseller('poor', 9);
	const api = resellerApi(service.url, token);
	await api.create({ username: 'alice' });
	const amount = { amount_usd_cents: 1 };
	const { id } = (await api.createWebhook({ url: 'https://shop.example.com/events' })).data;
	/** What every change can take. */
	const all = {
		...{ ...amount, note: 'x', day_bytes: 5, id, url: 'https://shop.example.com/events', enabled: false },
		...{ ...FURTHER, provider: 'stripe' },
	};
	const elsewhere = (await api.createToken({ ...FURTHER, name: 'elsewhere', allowed_ips: ['192.0.2.1'] })).data.token;
	const reader = (await api.createToken({ ...FURTHER, name: 'reader' })).data.token;
	const payer = (await api.createToken({ ...FURTHER, name: 'payer', scopes: ['money'] })).data.token;

	for (const [operationId, { method }] of operations) {
		const body = method === 'POST' ? { username: 'alice', ...amount } : undefined;
		await expect(operationId, 'invalid_request', { body, token, headers: { 'x-request-expires': 'soon' } });
		await expect(operationId, 'unauthorized', { body });
		await expect(operationId, 'unauthorized', { body, token: 'brs_unknown' });
		await expect(operationId, 'address_not_allowed', { body, token: elsewhere });
		// Any token may look for a change.
		const { scopes } = allEndpoints[operationId];
		const without: string = scopes.length === 1 && scopes[0] === 'read' ? payer : reader;
		if (scopes.length > 0) await expect(operationId, 'missing_scope', { body, token: without });
		await expect(operationId, 'method_not_allowed', { token, method: 'DELETE' });
		await expect(operationId, 'headers_too_large', { body, token, headers: { 'x-long': 'a'.repeat(20_000) } });
	}
	for (const [operationId] of posts) {
		await expect(operationId, 'payload_too_large', { token, body: { username: 'a'.repeat(20_000), ...amount } });
		await expect(operationId, 'unsupported_media_type', {
			token,
			body: '{}',
			headers: { 'content-type': 'text/plain' },
		});
		await expect(operationId, 'invalid_request', { token, body: '{' });
		await expect(operationId, 'invalid_request', {
			token,
			// These take any object.
			body: /^(viewAccount|viewAllWebhooks|viewAllTokens)$/.test(operationId) ? '[]' : { ...amount, limit: 0 },
		});
		const { failures } = allEndpoints[operationId];
		if (failures.includes('unknown_sub_user')) {
			await expect(operationId, 'unknown_sub_user', { token, body: { username: 'nobody', ...all } });
		}
		if (failures.includes('unknown_webhook')) {
			await expect(operationId, 'unknown_webhook', { token, body: { ...all, id: 'nothing' } });
		}
		if (failures.includes('unknown_token')) {
			await expect(operationId, 'unknown_token', { token, body: { id: 'nothing' } });
		}
	}
	const once = { token, body: { username: 'alice', ...amount }, headers: { 'x-change-id': 'a-change-done-once' } };
	await expect('giveBalance', 'insufficient_balance', { ...once, body: { ...once.body, amount_usd_cents: 10 ** 9 } });
	await expect('resetAuthKey', null, once);
	const changes = posts.filter(([, { failures }]) => failures.includes('change_repeated'));
	for (const [operationId] of changes) {
		const body = { ...once.body, ...all, ...(operationId === 'endToken' && { id: `tok_${'x'.repeat(22)}` }) };
		await expect(operationId, 'change_repeated', { ...once, body });
	}
	await service.submit({ kind: 'suspend_reseller', reseller: 'acme' });
	for (const [operationId] of changes.filter(([, { failures }]) => failures.includes('suspended'))) {
		await expect(operationId, 'suspended', { token, body: { username: 'alice', ...all } });
	}
	await service.submit({ kind: 'resume_reseller', reseller: 'acme' });
	const { token: rich } = await service.openReseller('rich', Number.MAX_SAFE_INTEGER);
	await resellerApi(service.url, rich).create({ username: 'richie' });
	await resellerApi(service.url, rich).give({ username: 'richie', amount_usd_cents: 1000 });
	await service.submit({ kind: 'credit_reseller', reseller: 'rich', amountCents: 900, reference: 'more' });
	await expect('deleteSubUser', 'invalid_amount', { token: rich, body: { username: 'richie' } });
	await expect('setLimits', 'invalid_limits', { token, body: { username: 'alice', day_bytes: 0 } });
	await expect('setNote', 'invalid_note', { token, body: { username: 'alice', note: '\n' } });
	await expect('createSubUser', 'invalid_username', { token, body: { username: 'al' } });
	await expect('createSubUser', 'username_taken', { token, body: { username: 'ALICE' } });
	await expect('createSubUser', 'insufficient_balance', { token: poor, body: { username: 'bobby' } });
	for (const [code, body] of [
		['invalid_username', { username: 'al' }],
		['invalid_amount', { username: 'bobby', amount_usd_cents: 0 }],
		['invalid_limits', { username: 'bobby', limits: { day_bytes: 0 } }],
		['invalid_note', { username: 'bobby', note: '\n' }],
		['username_taken', { username: 'ALICE' }],
		['insufficient_balance', { username: 'bobby', amount_usd_cents: 10 ** 9 }],
	] as const) {
		await expect('createSubUserWith', code, { token, body });
	}
	await expect('createWebhook', 'invalid_webhook_url', { token, body: { url: 'x' } });
	await expect('updateWebhook', 'invalid_webhook_url', { token, body: { id, url: 'x' } });
	for (let count = 2; count <= 5; count++) await api.createWebhook({ url: 'https://shop.example.com/events' });
	await expect('createWebhook', 'too_many_webhooks', { token, body: { url: 'https://shop.example.com/events' } });
	await expect('createToken', 'invalid_token', { token, body: { ...FURTHER, scopes: [] } });
	await expect('createToken', 'token_exists', { token, body: { ...FURTHER, name: 'reader' } });
	for (let count = 4; count <= 20; count++) await api.createToken({ ...FURTHER, name: `further ${count}` });
	await expect('createToken', 'too_many_tokens', { token, body: FURTHER });
	const topUp = { provider: 'stripe', amount_usd_cents: 5_000 };
	await expect('createTopUp', 'invalid_amount', { token, body: { ...topUp, amount_usd_cents: 0 } });
	await expect('createTopUp', 'amount_out_of_bounds', { token, body: { ...topUp, amount_usd_cents: 1 } });
	await expect('createTopUp', 'provider_off', { token, body: { ...topUp, provider: 'btcpay' } });
	for (let count = 1; count <= 20; count++) await api.createTopUp(topUp);
	await expect('createTopUp', 'too_many_payments', { token, body: topUp });
	await expect('updateWebhook', 'events_rewound', { token, body: { id, position: 1_000_000 } });
	await expect('viewEventPage', 'events_rewound', { token, body: { after: 1_000_000 } });
	await expect('viewStatementPage', 'statement_rewound', { token, body: { order: 'oldest', after: 1_000_000 } });
	await service.submit({ kind: 'forget_events', reseller: 'acme', beforeMs: Date.now() });
	await expect('viewEventPage', 'events_expired', { token, body: { after: 0 } });
	await expect('updateWebhook', 'events_expired', { token, body: { id, position: 0 } });
	for (const operationId of ['giveBalance', 'takeBalance'] as const) {
		await expect(operationId, 'invalid_amount', { token, body: { username: 'alice', amount_usd_cents: 0 } });
		await expect(operationId, 'insufficient_balance', {
			token,
			body: { username: 'alice', amount_usd_cents: 10 ** 9 },
		});
	}

	for (const [operationId, { method, path }] of operations) {
		for (const [bytes, code] of [
			[requestText(method, path, [`Authorization: Bearer ${token}`, 'Expect: 200-maybe']), 'expectation_failed'],
			[`${method} ${path} HTTP/1.1\r\n\r\n`, 'bad_request'],
		] as const) {
			const { status, headers, body } = await rawCall(t, service.url, bytes);
			assert.equal(headers.get('x-error-code'), code, operationId);
			described.assertDescribed(operationId, { status, headers, text: body });
			seen.get(operationId)?.add(code);
		}
	}

	// The tests below cause the timeouts and the failures of the service itself.
	const beyondRequests = ['request_timeout', 'internal_error', 'unavailable', 'outcome_unknown'];
	for (const [operationId, codes] of described.codes) {
		const beyond = operationId === 'viewChange' ? [...beyondRequests, 'missing_scope'] : beyondRequests;
		const documented = [...codes].filter((code) => !beyond.includes(code));
		assert.deepEqual(documented.toSorted(), [...(seen.get(operationId as Operation) ?? [])].toSorted(), operationId);
	}
});

test('the document describes every failure of the service itself', async (t) => {
	const cause = new Error('the disk is gone');
	const refused: Outcome = { ok: false, error: 'rules_failed' };
	const faults: [ErrorCode, (commands: readonly Command[]) => BatchAnswer<Outcome>, Error][] = [
		['unavailable', () => ({ kind: 'not_done', cause }), new StoreUnavailableError('gone')],
		[
			'internal_error',
			(commands) => ({ kind: 'committed', results: commands.map(() => refused), faults: [cause] }),
			cause,
		],
		['outcome_unknown', () => ({ kind: 'outcome_unknown', cause }), cause],
	];
	for (const [code, runCommands, readError] of faults) {
		const failRead = () => Promise.reject(readError);
		const { service, described, expect } = await openDescribed(t, {
			openStore: async (config) => ({
				...(await openStore(config)),
				runCommands: async (commands) => runCommands(commands),
				findAccount: failRead,
				findChange: failRead,
				listSubUsers: failRead,
				listSubUsersInState: failRead,
				findDetails: failRead,
				listMovements: failRead,
				followMovements: failRead,
				readEvents: failRead,
				listWebhooks: failRead,
				listTokens: failRead,
				listWebhookTries: failRead,
				findPayment: failRead,
			}),
		});
		const { token } = await service.openReseller('acme', 1000);
		for (const [operationId, { requestExample }] of operations) {
			if (described.codes.get(operationId)?.has(code)) await expect(operationId, code, { token, body: requestExample });
		}
	}
});

test('the document describes the answer to a request that takes too long to arrive', async (t) => {
	const requestTimeouts = { requestMs: 300, headersMs: 200, checkMs: 50 };
	const service = await startTestService(t, {}, { requestTimeouts });
	const described = describedApi(await fetchDocument(service));
	for (const [operationId, { method, path }] of operations) {
		const { status, headers, body } = await rawCall(
			t,
			service.url,
			`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n`,
		);
		assert.equal(headers.get('x-error-code'), 'request_timeout');
		described.assertDescribed(operationId, { status, headers, text: body });
	}
});
