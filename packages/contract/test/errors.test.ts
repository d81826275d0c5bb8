import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
	allEndpoints,
	COMMON_FAILURES,
	type ErrorDescription,
	endpoints,
	errors,
	FREE_OF_CREATE_FEE,
} from '@bursar/contract';

const registry: [string, ErrorDescription][] = Object.entries(errors);

test('every failure has the status that docs/api.md 4.2 gives it', () => {
	assert.deepEqual(Object.fromEntries(registry.map(([code, { status }]) => [code, status])), {
		bad_request: 400,
		invalid_request: 400,
		invalid_username: 400,
		invalid_amount: 400,
		invalid_limits: 400,
		invalid_note: 400,
		invalid_webhook_url: 400,
		invalid_token: 400,
		unauthorized: 401,
		insufficient_balance: 402,
		suspended: 403,
		missing_scope: 403,
		address_not_allowed: 403,
		not_found: 404,
		unknown_sub_user: 404,
		unknown_webhook: 404,
		unknown_token: 404,
		method_not_allowed: 405,
		request_timeout: 408,
		username_taken: 409,
		too_many_webhooks: 409,
		amount_out_of_bounds: 400,
		provider_off: 409,
		too_many_payments: 409,
		token_exists: 409,
		too_many_tokens: 409,
		change_repeated: 409,
		rotation_pending: 409,
		events_expired: 410,
		events_rewound: 410,
		statement_rewound: 410,
		payload_too_large: 413,
		unsupported_media_type: 415,
		expectation_failed: 417,
		headers_too_large: 431,
		internal_error: 500,
		unavailable: 503,
		outcome_unknown: 503,
	});
});

test('the message for a taken username is exactly the one that deployed clients compare', () => {
	assert.equal(errors.username_taken.message, 'that username is already registered');
});

test('only unavailable, after which nothing was done, carries Retry-After', () => {
	const repeatable = registry.filter(([, { retryAfterSeconds }]) => retryAfterSeconds !== undefined);
	assert.deepEqual(
		repeatable.map(([code]) => code),
		['unavailable'],
	);
	assert.ok(Number.isInteger(errors.unavailable.retryAfterSeconds) && errors.unavailable.retryAfterSeconds >= 1);
});

test('every code fits into a header, and every message is a short text for people', () => {
	for (const [code, { message }] of registry) {
		assert.match(code, /^[a-z]+(?:_[a-z]+)*$/);
		assert.match(message, /^[ -~]+$/);
		assert.ok(message.length >= 10 && message.length <= 200, code);
	}
	const messages = registry.map(([, { message }]) => message);
	assert.equal(new Set(messages).size, messages.length, 'no two failures read the same');
});

test('no endpoint lists a failure twice', () => {
	for (const { path, failures } of Object.values(allEndpoints)) {
		const codes = [...COMMON_FAILURES, ...failures];
		assert.equal(new Set(codes).size, codes.length, path);
	}
});

test('the description of create names exactly the failures that cost nothing', () => {
	const { description, failures } = endpoints.createSubUser;
	for (const code of [...COMMON_FAILURES, ...failures]) {
		assert.equal(description.includes(`\`${code}\``), FREE_OF_CREATE_FEE.has(code), code);
	}
});
