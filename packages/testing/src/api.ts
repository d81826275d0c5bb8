import assert from 'node:assert/strict';
import { allEndpoints, type Envelope, endpoints } from '@bursar/contract';
import { OPERATOR_API, type OperatorOperationName, operatorOperations } from '@bursar/contract/operator';
import { bodyOf, sendRequest } from './send-request.ts';

/** A complete answer of the service. */
export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	/** The stable code of a failure; `null` on success. */
	readonly errorCode: string | null;
	// biome-ignore lint/suspicious/noExplicitAny: tests check each field they need
	readonly data: any;
	readonly message: string;
	readonly text: string;
}

export interface CallOptions {
	/** Strings and bytes are sent as they are; anything else as JSON. */
	readonly body?: unknown;
	readonly token?: string | undefined;
	/** `null` removes a header that would otherwise be sent. */
	readonly headers?: Readonly<Record<string, string | null>>;
	readonly method?: string;
	/** The time by the service's clock, in Unix milliseconds, if a test has moved it. */
	readonly nowMs?: number;
}

/** Calls any path. Throws unless the answer is the envelope, with its headers. */
export async function call(url: string, path: string, options: CallOptions = {}): Promise<Answer> {
	const { body, token, headers, method = body === undefined ? 'GET' : 'POST', nowMs } = options;
	const sent: Record<string, string | null> = {
		...(token !== undefined && { authorization: `Bearer ${token}` }),
		...(body !== undefined && { 'content-type': 'application/json' }),
		...headers,
	};
	const answer = await sendRequest(url + path, {
		method,
		headers: Object.fromEntries(
			Object.entries(sent).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
		),
		body: bodyOf(body),
	});
	const honoursExpiry = !path.startsWith('/dashboard');
	return { ...answer, ...checkEnvelope(answer.status, answer.headers, answer.text, { nowMs, honoursExpiry }) };
}

/** Throws unless the answer is this failure. */
export function assertFailure(answer: Answer, status: number, code: string, what = ''): void {
	assert.equal(`${what} ${answer.status} ${answer.errorCode}`, `${what} ${status} ${code}`);
	assert.equal(answer.headers.has('retry-after'), code === 'unavailable', 'Retry-After exactly for unavailable');
	assert.equal(answer.headers.has('www-authenticate'), status === 401 || code === 'missing_scope');
	assert.equal(answer.headers.has('allow'), status === 405);
}

interface CheckOptions {
	/** The time by the service's clock, in Unix milliseconds. */
	readonly nowMs?: number | undefined;
	/** Whether the answer must say that an expiry and a change id are honoured. */
	readonly honoursExpiry?: boolean;
}

/** Throws unless this is the envelope (docs/api.md 3.1) with its headers (docs/api.md 3.2). */
export function checkEnvelope(
	status: number,
	headers: Headers,
	text: string,
	{ nowMs = Date.now(), honoursExpiry = true }: CheckOptions = {},
): Omit<Answer, 'headers' | 'text'> {
	const envelope = JSON.parse(text) as Envelope<unknown>;
	assert.deepEqual(Object.keys(envelope).sort(), ['data', 'message', 'status', 'timestamp']);
	assert.equal(envelope.status, status);
	assert.ok(Math.abs(envelope.timestamp - nowMs / 1000) < 60, 'the time stamp is in Unix seconds');
	assert.match(headers.get('content-type') ?? '', /^application\/json/);
	assert.equal(headers.get('cache-control'), 'no-store');
	assert.ok(headers.get('x-request-id'));
	if (honoursExpiry) {
		assert.match(headers.get('x-request-expires') ?? '', /^(?:honoured|[0-9]{1,12})$/);
		assert.match(headers.get('x-change-id') ?? '', /^(?:honoured|[\w-]{16,64})$/);
	}
	const errorCode = headers.get('x-error-code');
	if (status === 200) {
		assert.equal(errorCode, null);
		assert.equal(envelope.message, '');
	} else {
		assert.ok(errorCode, 'a failure carries its code');
		if (errorCode === 'change_repeated') assert.deepEqual(Object.keys(envelope.data ?? {}), ['change']);
		else assert.equal(envelope.data, null);
		assert.notEqual(envelope.message, '');
	}
	return { status, errorCode, data: envelope.data, message: envelope.message };
}

/** Makes a call of the operator's API. */
export function operatorApi(url: string, token: string) {
	return (name: OperatorOperationName, body: unknown, options?: CallOptions) =>
		call(url, OPERATOR_API + operatorOperations[name].path, { body, token, ...options });
}

/** The endpoints for one reseller. */
export function resellerApi(url: string, token: string) {
	const post = (path: string) => (body: unknown, options?: CallOptions) => call(url, path, { body, token, ...options });
	return {
		myInfo: () => call(url, endpoints.myInfo.path, { token }),
		viewAll: () => call(url, endpoints.viewAllSubUsers.path, { token }),
		create: post(endpoints.createSubUser.path),
		viewSingle: post(endpoints.viewSubUser.path),
		viewTxs: post(endpoints.viewUsage.path),
		resetAuthKey: post(endpoints.resetAuthKey.path),
		give: post(endpoints.giveBalance.path),
		take: post(endpoints.takeBalance.path),
		viewAccount: post(allEndpoints.viewAccount.path),
		viewChange: post(allEndpoints.viewChange.path),
		createWith: post(allEndpoints.createSubUserWith.path),
		suspend: post(allEndpoints.suspendSubUser.path),
		resume: post(allEndpoints.resumeSubUser.path),
		setLimits: post(allEndpoints.setLimits.path),
		setNote: post(allEndpoints.setNote.path),
		delete: post(allEndpoints.deleteSubUser.path),
		viewDetails: post(allEndpoints.viewDetails.path),
		viewPage: post(allEndpoints.viewSubUserPage.path),
		viewStatement: post(allEndpoints.viewStatementPage.path),
		viewEvents: post(allEndpoints.viewEventPage.path),
		createWebhook: post(allEndpoints.createWebhook.path),
		viewWebhooks: post(allEndpoints.viewAllWebhooks.path),
		updateWebhook: post(allEndpoints.updateWebhook.path),
		deleteWebhook: post(allEndpoints.deleteWebhook.path),
		rotateWebhookSecret: post(allEndpoints.rotateWebhookSecret.path),
		testWebhook: post(allEndpoints.testWebhook.path),
		viewWebhookTries: post(allEndpoints.viewWebhookTries.path),
		createToken: post(allEndpoints.createToken.path),
		viewTokens: post(allEndpoints.viewAllTokens.path),
		createTopUp: post(allEndpoints.createTopUp.path),
		viewTopUps: post(allEndpoints.viewTopUpPage.path),
		endToken: post(allEndpoints.endToken.path),
	};
}
