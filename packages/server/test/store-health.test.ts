import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoreHealth } from '../src/store-health.ts';

function setUp() {
	const store = { isAway: false };
	const writes: { failure: string | undefined; trying: Promise<void> | undefined } = {
		failure: undefined,
		trying: undefined,
	};
	const told: string[] = [];
	const health = createStoreHealth(
		async () => {
			if (store.isAway) throw new Error('away');
			return 1;
		},
		{ writes, outage: { failed: () => void told.push('lost'), over: () => void told.push('back') } },
	);
	return { store, writes, told, health };
}

test('a store that was lost is back, in the log and in readiness, when it can be read and no change is known to fail', async () => {
	const { store, writes, told, health } = setUp();
	await health.readCredentialsVersion();
	assert.equal(health.failure, undefined);
	store.isAway = true;
	await assert.rejects(health.readCredentialsVersion());
	assert.equal(health.failure, 'the store cannot be read');
	store.isAway = false;
	writes.failure = 'changes cannot be written';
	await health.readCredentialsVersion();
	assert.equal(health.failure, 'changes cannot be written');
	assert.deepEqual(told, ['lost']);
	writes.failure = undefined;
	assert.equal(health.failure, undefined);
	assert.deepEqual(told, ['lost', 'back']);
});

test('a write that is under way when the store is read again is waited for, and nobody has to ask for the end', async () => {
	const { store, writes, told, health } = setUp();
	store.isAway = true;
	await assert.rejects(health.readCredentialsVersion());
	store.isAway = false;
	const { promise, resolve } = Promise.withResolvers<void>();
	writes.trying = promise;
	await health.readCredentialsVersion();
	assert.match(String(health.failure), /not known yet/);
	assert.deepEqual(told, ['lost']);
	writes.trying = undefined;
	resolve();
	await promise;
	assert.deepEqual(told, ['lost', 'back']);
	assert.equal(health.failure, undefined);
});
