import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../src/commands/decide.ts';
import type { Command } from '../../src/commands/registry.ts';
import type { Webhook } from '../../src/domain/webhooks/webhook.ts';
import { type BooksOnPaper, booksOf } from '../support/books.ts';
import { createWebhook, NOON_MS, testWebhook, updateWebhook } from '../support/commands.ts';

const HOOK: Webhook = {
	...{ id: 'whe_1', reseller: 'acme', url: 'https://a.example.com/', types: null, offReason: null },
	...{ reached: { number: 4, id: 'evt_4' }, failingSinceMs: NOON_MS, failedTries: 3, nextAtMs: NOON_MS + 9 },
	...{ testAtMs: null, createdAtMs: NOON_MS },
};
const EVENTS = [3, 4, 5].map((number) => ({ reseller: 'acme', number, id: `evt_${number}` }));
const AFRESH = { failingSinceMs: null, failedTries: 0, nextAtMs: NOON_MS };

/** The refusal of a command, or what it sets of the webhook. */
function done(command: Command, onPaper: BooksOnPaper = {}): unknown {
	const books = booksOf({ balances: { 'acme/acme': 0 }, webhooks: [HOOK], events: EVENTS, ...onPaper });
	const { outcome, effects } = decide(books, command, NOON_MS);
	if (!outcome.ok) return outcome.error;
	const changes = effects.flatMap((effect) => (effect.kind === 'change_webhook' ? [effect.change] : []));
	return changes.map((change) => (change.what === 'changed' ? change.set : change.what));
}

test('the URL and the types of a webhook must be ones that it may have', () => {
	const types = ['sub_user.usable', 'reseller.debt'];
	for (const url of ['', 'http://a.example.com', 'https://10.0.0.1/', 'https://localhost/', 'ftp://a.example.com']) {
		assert.equal(done(createWebhook('acme', 'whe_2', { url })), 'invalid_webhook_url', url);
		assert.equal(done(updateWebhook('acme', 'whe_1', { url })), 'invalid_webhook_url', url);
	}
	for (const wrong of [[], ['sub_user.usable', 'any'], ['sub_user.usable', 'sub_user.usable']]) {
		assert.equal(done(createWebhook('acme', 'whe_2', { types: wrong })), 'invalid_types');
		assert.equal(done(updateWebhook('acme', 'whe_1', { types: wrong })), 'invalid_types');
	}
	assert.deepEqual(done(createWebhook('acme', 'whe_2', { types })), ['added']);
	assert.deepEqual(done(updateWebhook('acme', 'whe_1', { types })), [{ types }]);
	assert.deepEqual(done(updateWebhook('acme', 'whe_1', { types: null })), [], 'it wants all already');
	const url = 'http://127.0.0.1:8000/hooks';
	assert.equal(done(createWebhook('acme', 'whe_2', { url })), 'invalid_webhook_url');
	assert.deepEqual(done(createWebhook('acme', 'whe_2', { url, allowsLoopback: true })), ['added']);
});

test('another URL or position is tried at once; what holds already is not set', () => {
	const url = 'https://b.example.com/';
	assert.deepEqual(done(updateWebhook('acme', 'whe_1', { url })), [{ url, ...AFRESH }]);
	assert.deepEqual(done(updateWebhook('acme', 'whe_1', { url: HOOK.url, isEnabled: true })), []);
	const reached = { number: 5, id: 'evt_5' };
	assert.deepEqual(done(updateWebhook('acme', 'whe_1', { position: { number: 5 } })), [{ reached, ...AFRESH }]);
	assert.deepEqual(done(updateWebhook('acme', 'whe_1', { position: reached })), [{ reached, ...AFRESH }]);
});

test('a webhook goes on where it stood if the log has what comes next', () => {
	const off = (reached: Webhook['reached']): BooksOnPaper => ({ webhooks: [{ ...HOOK, offReason: 'gone', reached }] });
	const enable = updateWebhook('acme', 'whe_1', { isEnabled: true });
	const on = [{ offReason: null, ...AFRESH }];
	assert.deepEqual(done(enable, off(HOOK.reached)), on);
	assert.deepEqual(done(enable, off({ number: 2 })), on);
	assert.deepEqual(done(enable, off({ number: 5 })), on);
	assert.equal(done(enable, off({ number: 1 })), 'events_expired');
	assert.equal(done(enable, off({ number: 6 })), 'events_rewound');
	assert.equal(done(enable, off({ number: 4, id: 'evt_x' })), 'events_rewound');
	const position = updateWebhook('acme', 'whe_1', { isEnabled: true, position: { number: 2 } });
	assert.deepEqual(done(position, off({ number: 1 })), [
		{ offReason: null, reached: { number: 2, id: undefined }, ...AFRESH },
	]);
	assert.equal(done(updateWebhook('acme', 'whe_1', { position: { number: 9 } })), 'events_rewound');
});

test('switching off keeps the first reason', () => {
	const disable = updateWebhook('acme', 'whe_1', { isEnabled: false });
	assert.deepEqual(done(disable), [{ offReason: 'switched_off' }]);
	assert.deepEqual(done(disable, { webhooks: [{ ...HOOK, offReason: 'failing' }] }), []);
});

test('a suspended reseller may change its webhooks, which are neither money nor a sub-user', () => {
	const suspendedResellers = ['acme'];
	const disable = updateWebhook('acme', 'whe_1', { isEnabled: false });
	assert.deepEqual(done(disable, { suspendedResellers }), [{ offReason: 'switched_off' }]);
	assert.deepEqual(done(testWebhook('acme', 'whe_1'), { suspendedResellers }), [{ testAtMs: NOON_MS }]);
});

test('a change that sets nothing uses its id up too: a late copy must not set it again', () => {
	const books = booksOf({ balances: { 'acme/acme': 0 }, webhooks: [HOOK], events: EVENTS });
	const enable = updateWebhook('acme', 'whe_1', { isEnabled: true, changeId: 'change-number-01' });
	const { effects } = decide(books, enable, NOON_MS);
	assert.deepEqual(
		effects.map(({ kind }) => kind),
		['record_change'],
	);
});
