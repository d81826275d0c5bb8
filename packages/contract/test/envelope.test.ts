import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, envelopeSchema, errors, failureEnvelope, successEnvelope } from '@bursar/contract';
import Type from 'typebox';
import { Compile } from 'typebox/compile';

const NOW_MS = Date.UTC(2026, 10, 21, 9, 30, 0, 999);

test('a success carries status 200, no message, whole Unix seconds and its data', () => {
	const data = { username: 'alice', balance: 0 };
	assert.deepEqual(successEnvelope(data, NOW_MS), { status: 200, message: '', timestamp: 1795253400, data });
	assert.deepEqual(successEnvelope([], NOW_MS).data, []);
});

test('a failure repeats its status, says why, and has no data', () => {
	for (const [code, { status, message }] of Object.entries(errors)) {
		const envelope = failureEnvelope(code as ErrorCode, NOW_MS);
		assert.deepEqual(envelope, { status, message, timestamp: 1795253400, data: null });
	}
});

test('the fields are in the order of docs/api.md 3.1', () => {
	const fields = ['status', 'message', 'timestamp', 'data'];
	assert.deepEqual(Object.keys(successEnvelope([], NOW_MS)), fields);
	assert.deepEqual(Object.keys(failureEnvelope('unavailable', NOW_MS)), fields);
});

test('an envelope has exactly four fields, each of its type', () => {
	const schema = Compile(envelopeSchema(Type.Array(Type.Integer())));
	const envelope = successEnvelope([1, 2], NOW_MS);
	assert.ok(schema.Check(envelope));
	for (const field of Object.keys(envelope)) {
		assert.ok(!schema.Check({ ...envelope, [field]: undefined }), `${field} is missing`);
		assert.ok(!schema.Check({ ...envelope, [field]: true }), `${field} is of another type`);
	}
	assert.ok(!schema.Check({ ...envelope, code: 'unavailable' }), 'a fifth field');
	assert.ok(!schema.Check({ ...envelope, timestamp: 1795253400.5 }), 'a fraction of a second');
	assert.ok(!schema.Check({ ...envelope, data: null }), 'the data of a failure');
});
