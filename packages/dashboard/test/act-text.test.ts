import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ActDetails, type ActKind, moneyTarget, roleTarget } from '@bursar/contract/dashboard';
import { MAX_CENTS } from '@bursar/contract/limits';
import { actText } from '../src/features/acts/act-text.ts';
import { detailLines } from '../src/features/acts/details-text.ts';

test('an act is told in words for people, with what was changed', () => {
	assert.equal(actText({ kind: 'sign_in', target: 'password', details: null }), 'Signed in with the password');
	assert.equal(
		actText({ kind: 'sign_in', target: 'recovery_code', details: null }),
		'Signed in with the password and a recovery code',
	);
	assert.equal(actText({ kind: 'sign_in', target: 'toString', details: null }), 'Signed in');
	assert.equal(actText({ kind: 'set_password', target: '', details: null }), 'Changed the password');
	assert.equal(
		actText({ kind: 'create_sub_user', target: 'bruno', details: null }),
		'Paid to create a sub-user: bruno',
	);
	assert.equal(actText({ kind: 'show_auth_key', target: 'alice', details: null }), 'Looked at a proxy auth key: alice');
	assert.equal(
		actText({ kind: 'show_auth_key', target: 'alice bruno carla dario elena', details: null }),
		'Looked at a proxy auth key: alice, bruno, carla and 2 more',
	);
	assert.equal(actText({ kind: 'add_passkey', target: 'My laptop', details: null }), 'Added a passkey: My laptop');
});

test('acts about money tell the amount in dollars', () => {
	assert.equal(
		actText({ kind: 'give_balance', target: moneyTarget('review.one', 150), details: null }),
		'Gave balance to a sub-user: review.one, $1.50',
	);
	assert.equal(
		actText({ kind: 'adjust', target: moneyTarget('acme', MAX_CENTS), details: null }),
		'Took money back from a reseller: acme, $90,071,992,547,409.91',
	);
	for (const target of ['acme', 'acme 1.5', 'acme -5', ' 5', 'a b 5']) {
		assert.equal(actText({ kind: 'top_up', target, details: null }), `Topped up a reseller: ${target}`);
	}
	assert.equal(
		actText({ kind: 'set_low_balance', target: '50000', details: null }),
		'Changed the warning of a low balance: $500.00',
	);
	assert.equal(
		actText({ kind: 'set_low_balance', target: '', details: null }),
		'Changed the warning of a low balance: removed',
	);
});

test('who was invited, or got a role, is named with the role', () => {
	assert.equal(
		actText({ kind: 'invite_person', target: roleTarget('ann@acme.example', 'viewer'), details: null }),
		'Invited a person: ann@acme.example, Viewer',
	);
	assert.equal(
		actText({ kind: 'invite_person', target: roleTarget('op@bursar.example', null), details: null }),
		'Invited a person: op@bursar.example',
	);
});

/** An act with its details, as a list shows it. */
function told(kind: ActKind, target: string, details: ActDetails) {
	return [actText({ kind, target, details }), ...detailLines({ kind, details })];
}

test('a change tells the values after it and before it, each in its unit', () => {
	const changed: ActDetails['changed'] = {
		day_bytes: [null, 5e9],
		total_bytes: [2.5e9, null],
		connections: [3, 50],
		allowed_ips: [null, ['::1']],
	};
	assert.deepEqual(told('set_limits', 'alice', { changed }), [
		'Set the limits of a sub-user: alice',
		'Bandwidth of a day: 5\u00a0GB, before no limit',
		'Bandwidth in total: no limit, before 2.5\u00a0GB',
		'Open connections: 50, before 3',
		'Allowed addresses: ::1, before any',
	]);
	assert.deepEqual(told('set_note', 'alice', { changed: { note: ['pays late', null] } }), [
		'Changed the note of a sub-user: alice',
		'Note: none, before “pays late”',
	]);
	const price = { changed: { price: [null, 3_500_000], debt_line: [500, 2_000] } } as const;
	assert.deepEqual(told('set_price', 'acme 3.50 line 20.00', price), [
		'Set the price of bandwidth: acme',
		'Price of a GB: $3.50, before free',
		'Line of the debt: $20.00, before $5.00',
	]);
	assert.deepEqual(told('set_role', 'ann@acme.example viewer', { changed: { role: ['owner', 'viewer'] } }), [
		'Changed the role of a person: ann@acme.example',
		'Role: Viewer, before Owner',
	]);
	assert.deepEqual(
		told('update_webhook', 'whe_1', { names: ['hooks.example'], changed: { webhook_state: ['on', 'off'] } }),
		['Changed a webhook: hooks.example', 'State: off, before on'],
	);
});

test('money tells what it bought: a create, one that was refused, and what came back by a delete', () => {
	const bought = {
		fee: 10,
		moved: 250,
		changed: { month_bytes: [null, 9e9], bytes_per_second: [null, 1_250_000] },
	} as const;
	assert.deepEqual(told('create_sub_user', 'bruno', bought), [
		'Created a sub-user: bruno',
		'$2.50 was given at once',
		'Bandwidth of a month: 9\u00a0GB',
		'Speed: 10\u00a0Mbit/s',
		'$0.10 was paid for it',
	]);
	assert.deepEqual(told('create_sub_user', 'bruno', { fee: 10, refused: 'username_taken' }), [
		'Create refused: bruno. The name was taken. $0.10 was paid and bought nothing',
	]);
	assert.deepEqual(told('delete_sub_user', 'bruno', { moved: 420 }), ['Deleted a sub-user: bruno', '$4.20 came back']);
	assert.deepEqual(told('give_balance', 'bruno 30', { moved: 30, reason: 'asked' }), [
		'Gave balance to a sub-user: bruno, $0.30',
		'Reason: asked',
	]);
});
