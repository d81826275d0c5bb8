import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInKey } from '@bursar/contract/sign-in-ips';
import { decideBatch } from '../../src/commands/batch.ts';
import type { Command } from '../../src/commands/registry.ts';
import { loadedBooks } from '../support/books.ts';
import { allowSignIn, deleteSubUser, NOON_MS, setSignInIps } from '../support/commands.ts';

const BALANCES = { 'acme/acme': 0, 'acme/alice': 0, 'acme/bruno': 0, 'other/other': 0, 'other/olga': 0 };

/** Decides commands one after another, while these accounts sign in from these addresses. */
function decided(
	commands: readonly Command[],
	held: Readonly<Record<string, readonly string[]>> = {},
	signInResellers: readonly string[] = ['acme', 'other'],
) {
	const signInAddresses = Object.entries(held).flatMap(([name, ips]) => {
		const [reseller = '', username = ''] = name.split('/');
		return ips.map((ip) => ({ reseller, username, address: signInKey(ip) }));
	});
	const loaded = loadedBooks({ balances: BALANCES, signInAddresses, signInResellers });
	const { outcomes, changes } = decideBatch(loaded, commands, NOON_MS);
	return { endings: outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.error)), changes };
}

test('an address is of one account: not even its own reseller can give it to another one', () => {
	const held = { 'other/olga': ['192.0.2.7', '2001:db8::7'], 'acme/bruno': ['192.0.2.8', '2001:db8:0:1::/64'] };
	for (const [ips, ending] of [
		[['192.0.2.7'], 'address_taken'],
		[['192.0.2.9', '192.0.2.8'], 'address_taken'],
		[['2001:db8::7'], 'address_taken'],
		// It contains one of another account.
		[['2001:db8::/64'], 'address_taken'],
		// It is in one of another account.
		[['2001:db8:0:1::9'], 'address_taken'],
		[['2001:db8:0:1::/64'], 'address_taken'],
		[['192.0.2.9', '2001:db8::8', '2001:db8:0:2::/64'], 'ok'],
	] as const) {
		const { endings, changes } = decided([setSignInIps('acme', 'alice', ...ips)], held);
		assert.deepEqual(endings, [ending], ips.join());
		assert.equal(changes.changedSignIns.length, ending === 'ok' ? 1 : 0);
	}
});

test('an account may change its own addresses into others that overlap with them', () => {
	const held = { 'acme/alice': ['192.0.2.7', '2001:db8::7', '2001:db8::8'] };
	const { endings, changes } = decided([setSignInIps('acme', 'alice', '192.0.2.8', '2001:db8::/64')], held);
	assert.deepEqual(endings, ['ok']);
	const addresses = [signInKey('192.0.2.8'), signInKey('2001:db8::/64')];
	assert.deepEqual(changes.changedSignIns, [{ reseller: 'acme', username: 'alice', addresses }]);
	assert.deepEqual(
		decided([setSignInIps('acme', 'alice', '2001:db8::7')], { 'acme/alice': ['2001:db8::/64'] }).endings,
		['ok'],
	);
});

test('what an account gives up, or loses with its end, another one may take', () => {
	const held = { 'acme/alice': ['192.0.2.7'], 'other/olga': ['2001:db8::/64'] };
	const taking = [setSignInIps('acme', 'bruno', '192.0.2.7'), setSignInIps('acme', 'alice', '2001:db8::7')];
	assert.deepEqual(decided(taking, held).endings, ['address_taken', 'address_taken']);
	const freeing = [setSignInIps('acme', 'alice'), deleteSubUser('other', 'olga')];
	assert.deepEqual(decided([...freeing, ...taking], held).endings, ['ok', 'ok', 'ok', 'ok']);
	assert.deepEqual(decided([...taking, ...freeing, ...taking], held).endings.slice(4), ['ok', 'ok']);
});

test('with as many addresses of a /64 as an account may have, and one more, it is taken, whoever has those that were loaded', () => {
	const ips = Array.from({ length: 17 }, (_, n) => `2001:db8::${n}`);
	const held = { 'acme/alice': ips.slice(0, 16), 'acme/bruno': ips.slice(16) };
	const taking = setSignInIps('acme', 'alice', '2001:db8::/64');
	assert.deepEqual(decided([taking], held).endings, ['address_taken']);
	assert.deepEqual(decided([setSignInIps('acme', 'bruno'), taking], held).endings, ['ok', 'address_taken']);
	assert.deepEqual(decided([taking], { 'acme/alice': ips.slice(0, 16) }).endings, ['ok']);
});

test('while the operator does not allow it, addresses are only removed', () => {
	const held = { 'acme/alice': ['192.0.2.7', '192.0.2.8'] };
	for (const [ips, ending] of [
		[['192.0.2.7', '192.0.2.8', '192.0.2.9'], 'sign_in_by_address_off'],
		[['192.0.2.9'], 'sign_in_by_address_off'],
		// Who has an address is not told even then.
		[['192.0.2.10'], 'sign_in_by_address_off'],
		[['192.0.2.7', '192.0.2.8'], 'ok'],
		[['192.0.2.8'], 'ok'],
		[[], 'ok'],
	] as const) {
		const all = { ...held, 'other/olga': ['192.0.2.10'] };
		assert.deepEqual(decided([setSignInIps('acme', 'alice', ...ips)], all, ['other']).endings, [ending], ips.join());
	}
	const on = [allowSignIn('acme'), setSignInIps('acme', 'alice', '192.0.2.9'), allowSignIn('acme', false)];
	assert.deepEqual(decided([...on, setSignInIps('acme', 'alice', '192.0.2.7')], held, []).endings, [
		...['ok', 'ok', 'ok', 'sign_in_by_address_off'],
	]);
});

test('what holds already changes nothing, and who does not exist is refused', () => {
	const held = { 'acme/alice': ['192.0.2.7', '2001:db8::7'] };
	for (const command of [setSignInIps('acme', 'alice', '2001:db8::7', '192.0.2.7'), allowSignIn('acme')]) {
		const { endings, changes } = decided([command], held);
		assert.deepEqual(endings, ['ok']);
		assert.deepEqual([changes.changedSignIns, changes.signInPermissions.size], [[], 0]);
	}
	const wrong = [
		...[setSignInIps('acme', 'olga', '192.0.2.9'), setSignInIps('acme', 'acme', '192.0.2.9')],
		...[setSignInIps('acme', 'nobody'), allowSignIn('nobody')],
	];
	assert.deepEqual(decided(wrong, held).endings, [
		...['unknown_sub_user', 'unknown_sub_user', 'unknown_sub_user', 'unknown_reseller'],
	]);
	const tooMany = Array.from({ length: 17 }, (_, n) => `192.0.2.${n}`);
	assert.deepEqual(decided([setSignInIps('acme', 'alice', ...tooMany)]).endings, ['invalid_sign_in_ips']);
});
