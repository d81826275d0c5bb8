import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moneyTarget, roleTarget } from '@bursar/contract/dashboard';
import { MAX_CENTS } from '@bursar/contract/limits';
import { actText } from '../src/features/acts/act-text.ts';

test('an act is told in words for people, with what was changed', () => {
	assert.equal(actText({ kind: 'sign_in', target: 'password' }), 'Signed in with the password');
	assert.equal(
		actText({ kind: 'sign_in', target: 'recovery_code' }),
		'Signed in with the password and a recovery code',
	);
	assert.equal(actText({ kind: 'sign_in', target: 'toString' }), 'Signed in');
	assert.equal(actText({ kind: 'set_password', target: '' }), 'Changed the password');
	assert.equal(actText({ kind: 'create_sub_user', target: 'bruno' }), 'Paid to create a sub-user: bruno');
	assert.equal(actText({ kind: 'show_auth_key', target: 'alice' }), 'Looked at a proxy auth key: alice');
	assert.equal(
		actText({ kind: 'show_auth_key', target: 'alice bruno carla dario elena' }),
		'Looked at a proxy auth key: alice, bruno, carla and 2 more',
	);
	assert.equal(actText({ kind: 'add_passkey', target: 'My laptop' }), 'Added a passkey: My laptop');
});

test('acts about money tell the amount in dollars', () => {
	assert.equal(
		actText({ kind: 'give_balance', target: moneyTarget('review.one', 150) }),
		'Gave balance to a sub-user: review.one, $1.50',
	);
	assert.equal(
		actText({ kind: 'adjust', target: moneyTarget('acme', MAX_CENTS) }),
		'Took money back from a reseller: acme, $90,071,992,547,409.91',
	);
	for (const target of ['acme', 'acme 1.5', 'acme -5', ' 5', 'a b 5']) {
		assert.equal(actText({ kind: 'top_up', target }), `Topped up a reseller: ${target}`);
	}
	assert.equal(actText({ kind: 'set_low_balance', target: '50000' }), 'Changed the warning of a low balance: $500.00');
	assert.equal(actText({ kind: 'set_low_balance', target: '' }), 'Changed the warning of a low balance: removed');
});

test('who was invited, or got a role, is named with the role', () => {
	assert.equal(
		actText({ kind: 'invite_person', target: roleTarget('ann@acme.example', 'viewer') }),
		'Invited a person: ann@acme.example, Viewer',
	);
	assert.equal(
		actText({ kind: 'invite_person', target: roleTarget('op@bursar.example', null) }),
		'Invited a person: op@bursar.example',
	);
});
