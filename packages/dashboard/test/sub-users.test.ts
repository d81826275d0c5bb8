import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeUsername } from '@bursar/contract/username';
import { pairForms } from '../src/features/connect/pair-forms.ts';
import { bytesLeft, isLow, previewMovement } from '../src/features/sub-users/balance.ts';
import { type ListState, listFields, subUsersQueryOf } from '../src/features/sub-users/list-state.ts';
import { isUnfinished, usernameProblem } from '../src/forms/username-problem.ts';
import { changedSearch, readUrlState } from '../src/lists/url-state.ts';

test('a name is checked by the rules of the contract while it is typed', () => {
	assert.equal(usernameProblem('ann'), 'short');
	assert.equal(usernameProblem('ann.smith'), undefined);
	assert.equal(usernameProblem('Ann.Smith'), undefined);
	assert.equal(usernameProblem('ann.'), 'end');
	assert.equal(usernameProblem('_ann'), 'start');
	assert.equal(usernameProblem('a._b'), 'adjacent');
	assert.equal(usernameProblem('ann smith'), 'characters');
	assert.equal(usernameProblem('ann\u212a'), 'characters');
	assert.equal(usernameProblem('a'.repeat(32)), undefined);
	assert.equal(usernameProblem('a'.repeat(33)), 'long');
});

test('a name has no problem if and only if the contract accepts it', () => {
	const letters = ['a', 'Z', '9', '.', '_', '-'];
	const names = letters.flatMap((a) =>
		letters.flatMap((b) => letters.flatMap((c) => letters.map((d) => `${a}${b}${c}${d}`))),
	);
	for (const name of [...names, '', 'a', 'a.b', 'x'.repeat(32), 'x'.repeat(33)]) {
		assert.equal(usernameProblem(name) === undefined, normalizeUsername(name) !== undefined, name);
	}
});

test('only what can be mended by typing on is unfinished', () => {
	assert.ok(isUnfinished(usernameProblem('a')));
	assert.ok(isUnfinished(usernameProblem('anna.')));
	assert.ok(!isUnfinished(usernameProblem('a..')));
	assert.ok(!isUnfinished(usernameProblem('anna')));
});

test('the key can be copied in all the forms that programs ask for', () => {
	const pair = { username: 'ann.smith', proxy_authkey: 'aB3dEf6hIj9lMn2p', proxy_url: 'http://proxy.example:3128' };
	assert.deepEqual(pairForms(pair), {
		key: 'aB3dEf6hIj9lMn2p',
		userAndKey: 'ann.smith:aB3dEf6hIj9lMn2p',
		atProxy: {
			url: 'http://ann.smith:aB3dEf6hIj9lMn2p@proxy.example:3128',
			curl: 'curl -x http://ann.smith:aB3dEf6hIj9lMn2p@proxy.example:3128 https://example.com/',
		},
	});
	const url = new URL(pairForms({ ...pair, proxy_url: 'https://[2001:db8::1]:3128' }).atProxy?.url ?? '');
	assert.deepEqual([url.username, url.password, url.host], ['ann.smith', pair.proxy_authkey, '[2001:db8::1]:3128']);
	assert.equal(pairForms({ ...pair, proxy_url: null }).atProxy, null);
});

test('what is left is known in bytes, and an account is marked below a GB', () => {
	assert.equal(bytesLeft(350, 3_500_000), 1_000_000_000);
	assert.equal(bytesLeft(1, 1_000_000_000), 10_000);
	assert.equal(bytesLeft(0, null), null);
	assert.deepEqual(
		[350, 349, 1, 0].map((balance) => isLow(balance, 3_500_000)),
		[false, true, true, false],
	);
	assert.equal(isLow(0, null), false);
});

const BALANCES = { balance: 500, reseller_balance: 10_000 };

test('both balances after a movement are known before it is confirmed', () => {
	assert.deepEqual(previewMovement('give', '12.30', BALANCES), {
		state: 'right',
		cents: 1230,
		subUserAfter: 1730,
		resellerAfter: 8770,
	});
	assert.deepEqual(previewMovement('take', '5', BALANCES), {
		state: 'right',
		cents: 500,
		subUserAfter: 0,
		resellerAfter: 10_500,
	});
});

test('more than the balance, nothing, and a text that is no amount cannot be moved', () => {
	assert.deepEqual(previewMovement('give', ' ', BALANCES), { state: 'empty' });
	assert.deepEqual(previewMovement('give', '100.01', BALANCES), { state: 'wrong', problem: 'too_much' });
	assert.deepEqual(previewMovement('take', '5.01', BALANCES), { state: 'wrong', problem: 'too_much' });
	assert.deepEqual(previewMovement('give', '0.00', BALANCES), { state: 'wrong', problem: 'zero' });
	assert.deepEqual(previewMovement('give', '12,30', BALANCES), { state: 'wrong', problem: 'unreadable' });
	const full = { balance: Number.MAX_SAFE_INTEGER, reseller_balance: 1 };
	assert.deepEqual(previewMovement('give', '0.01', full), { state: 'wrong', problem: 'too_large' });
});

test('a list is asked for as its address says', () => {
	const query = (search: string) => subUsersQueryOf(readUrlState<ListState>(listFields, search));
	assert.deepEqual(query(''), { order: 'name' });
	assert.deepEqual(query('?search=Ann_&match=anywhere&order=-balance'), {
		search: 'ann_',
		match: 'anywhere',
		order: '-balance',
	});
	assert.deepEqual(query('?after=500~ann&before=x'), { order: 'name', after: '500~ann' });
	assert.deepEqual(query('?before=500~ann'), { order: 'name', before: '500~ann' });
	assert.equal(
		changedSearch(listFields, '?order=-balance&after=x', { search: 'ann', after: '' }),
		'?order=-balance&search=ann',
	);
});

test('what is typed is searched as names are written, and as notes are if they are searched', () => {
	const asked = (match: string) =>
		subUsersQueryOf(readUrlState(listFields, `?search=+Ann+Smith+&match=${match}`)).search;
	assert.equal(asked('beginning'), 'annsmith');
	assert.equal(asked('anywhere'), 'ann smith');
});
