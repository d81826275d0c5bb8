import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_LIMITS } from '../../../src/http/edge/judge-pair.ts';
import { createKnownPairs } from '../../../src/http/edge/known-pairs.ts';

const pair = (username: string, exists: boolean, readAtMs = 0) => ({
	username,
	exists,
	limits: NO_LIMITS,
	reseller: 'acme',
	key: 'x',
	keyId: 'y',
	readAtMs,
});

test('the pair that was read longest ago is forgotten first, and invented names drive out no pair', () => {
	const known = createKnownPairs({ maxAccounts: 2, maxInvented: 3 });
	known.remember(pair('alice', true));
	known.remember(pair('bob.1', true));
	for (let index = 0; index < 100; index++) known.remember(pair(`guess${index}`, false));
	assert.ok(known.get('alice') && known.get('bob.1'));
	assert.deepEqual(
		Array.from({ length: 100 }, (_, index) => index).filter((index) => known.get(`guess${index}`)),
		[97, 98, 99],
	);
	known.remember(pair('alice', true, 5));
	known.remember(pair('carol', true));
	assert.deepEqual(
		['alice', 'bob.1', 'carol'].map((username) => known.get(username)?.readAtMs),
		[5, undefined, 0],
	);
});

test('a name is either an account or invented', () => {
	const known = createKnownPairs();
	known.remember(pair('alice', false, 1));
	known.remember(pair('alice', true, 2));
	assert.equal(known.get('alice')?.exists, true);
	known.remember(pair('alice', false, 3));
	assert.equal(known.get('alice')?.exists, false);
});

test('pairs are forgotten when they are too old for any use', () => {
	const known = createKnownPairs();
	known.remember(pair('alice', true, 0));
	known.remember(pair('bob.1', true, 1));
	known.remember(pair('guess', false, 0));
	known.forgetOld(15 * 60_000);
	assert.deepEqual(
		['alice', 'bob.1', 'guess'].map((username) => known.get(username) !== undefined),
		[false, true, false],
	);
});
