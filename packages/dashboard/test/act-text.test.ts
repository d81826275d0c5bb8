import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actText } from '../src/features/account/act-text.ts';

test('an act is told in words for people, with what was changed', () => {
	assert.equal(actText({ kind: 'sign_in', target: 'password' }), 'Signed in with the password');
	assert.equal(
		actText({ kind: 'sign_in', target: 'recovery_code' }),
		'Signed in with the password and a recovery code',
	);
	assert.equal(actText({ kind: 'sign_in', target: 'toString' }), 'Signed in');
	assert.equal(actText({ kind: 'set_password', target: '' }), 'Changed the password');
	assert.equal(
		actText({ kind: 'set_low_balance', target: '123456' }),
		'Changed the warning of a low balance: $1,234.56',
	);
	assert.equal(actText({ kind: 'set_low_balance', target: '' }), 'Changed the warning of a low balance');
	assert.equal(actText({ kind: 'add_passkey', target: 'My laptop' }), 'Added a passkey: My laptop');
});
