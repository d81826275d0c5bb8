import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasFewRecoveryCodes, hasNoFactor, isLastFactor } from '../src/features/account/factors-left.ts';

const BARE = { reseller: 'acme', one_time_codes: false, recovery_codes: 0, passkeys: [] };
const PASSKEY = {};

test('an operator keeps the last passkey or the one-time codes, and a person of a reseller may remove them', () => {
	const operator = { ...BARE, reseller: null };
	assert.equal(isLastFactor({ ...operator, passkeys: [PASSKEY] }), true);
	assert.equal(isLastFactor({ ...operator, one_time_codes: true }), true);
	assert.equal(isLastFactor({ ...operator, passkeys: [PASSKEY, PASSKEY] }), false);
	assert.equal(isLastFactor({ ...operator, passkeys: [PASSKEY], one_time_codes: true }), false);
	assert.equal(isLastFactor({ ...BARE, passkeys: [PASSKEY] }), false);
	assert.equal(isLastFactor({ ...BARE, one_time_codes: true }), false);
});

test('an account without a second factor is told apart, and needs no recovery codes', () => {
	assert.equal(hasNoFactor(BARE), true);
	assert.equal(hasFewRecoveryCodes(BARE), false);
	assert.equal(hasNoFactor({ ...BARE, passkeys: [PASSKEY] }), false);
	assert.equal(hasNoFactor({ ...BARE, one_time_codes: true }), false);
});

test('three recovery codes or fewer are few', () => {
	const account = { ...BARE, one_time_codes: true };
	assert.equal(hasFewRecoveryCodes({ ...account, recovery_codes: 4 }), false);
	assert.equal(hasFewRecoveryCodes({ ...account, recovery_codes: 3 }), true);
	assert.equal(hasFewRecoveryCodes({ ...account, recovery_codes: 0 }), true);
});
