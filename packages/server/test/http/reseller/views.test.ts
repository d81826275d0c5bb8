import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { balanceText, subUserText } from '../../../src/http/reseller/views.ts';

const account = fc.record({
	reseller: fc.constant('acme'),
	username: fc.stringMatching(/^[a-z0-9](?:[._]?[a-z0-9]){3,15}$/),
	balanceCents: fc.maxSafeNat(),
	proxyAuthkey: fc.stringMatching(/^[0-9A-Za-z]{16}$/),
	createdAtMs: fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }).map(Number),
});

test('accounts and balances written as text are the JSON of docs/api.md 6.5', (t) => {
	fc.assert(
		fc.property(account, (each) => {
			const { username, balanceCents: balance, proxyAuthkey: proxy_authkey, createdAtMs } = each;
			const date_created = new Date(createdAtMs).toISOString();
			assert.equal(subUserText(each), JSON.stringify({ username, balance, proxy_authkey, date_created }));
			assert.equal(balanceText(username, balance), JSON.stringify({ username, balance }));
		}),
		{ seed: printedSeed(t) },
	);
});

test('a name or a key that would need escapes is never written', () => {
	const valid = { reseller: 'acme', username: 'alice', balanceCents: 1, proxyAuthkey: 'a'.repeat(16), createdAtMs: 0 };
	for (const text of ['a"b', 'a\\b', 'a\nb', 'é', '', 'alice\n']) {
		assert.throws(() => subUserText({ ...valid, username: text }), /never valid/);
		assert.throws(() => subUserText({ ...valid, proxyAuthkey: text }), /never valid/);
		assert.throws(() => balanceText(text, 1), /never valid/);
	}
});
