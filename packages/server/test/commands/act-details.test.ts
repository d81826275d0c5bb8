import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ACT_DETAILS_BYTES, readActDetails } from '@bursar/contract/dashboard';
import {
	MAX_ALLOWED_IPS,
	MAX_BYTES,
	MAX_BYTES_PER_SECOND,
	MAX_CONNECTIONS,
	MAX_NOTE_CHARACTERS,
} from '@bursar/contract/limits';
import { decideBatch } from '../../src/commands/batch.ts';
import type { Command } from '../../src/commands/registry.ts';
import { afresh, type Webhook } from '../../src/domain/webhooks/webhook.ts';
import { type BooksOnPaper, loadedBooks } from '../support/books.ts';
import {
	createSubUserWith,
	createWebhook,
	deleteSubUser,
	deleteWebhook,
	endToken,
	furtherTokenOf,
	giveBalance,
	NOON_MS,
	noteReseller,
	setLimits,
	setNote,
	setPrice,
	createToken as tokenCommand,
	updateWebhook,
	webhookSecret,
} from '../support/commands.ts';
import { createTopUp } from '../support/payment-commands.ts';

const BALANCES = { 'acme/acme': 1000, 'acme/alice': 420 };

/** The outcomes and the details of commands of one batch, each of which a command line gives. */
function detailsOf(commands: readonly Command[], books: BooksOnPaper = {}) {
	const acting = commands.map((command, index) => {
		const act = { id: `a${index}`, kind: command.kind, target: '', requestId: 'r', systemUser: 'root' };
		return { ...command, act } as Command;
	});
	const { outcomes, changes } = decideBatch(loadedBooks({ balances: BALANCES, ...books }), acting, NOON_MS);
	return {
		endings: outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.error)),
		details: changes.acts.map(({ details }) => details),
	};
}

test('of several changes in one batch, each act has the values that it found and left', () => {
	const { details } = detailsOf([
		createTopUp('acme', 5_000),
		setLimits('acme', 'alice', { dayBytes: 5, connections: 3 }),
		setNote('acme', 'alice', 'first'),
		setLimits('acme', 'alice', { dayBytes: 7, connections: 3 }),
		setNote('acme', 'alice', ''),
		giveBalance('acme', 'alice', 30),
		setPrice('acme', 2_000_000),
		{ ...setPrice('acme', null), debtLineCents: 900 },
	]);
	assert.deepEqual(details, [
		{ names: ['pay_1'] },
		{ changed: { day_bytes: [null, 5], connections: [null, 3] } },
		{ changed: { note: [null, 'first'] } },
		{ changed: { day_bytes: [5, 7] } },
		{ changed: { note: ['first', null] } },
		{ moved: 30 },
		{ changed: { price: [null, 2_000_000] } },
		{ changed: { price: [2_000_000, null], debt_line: [500, 900] } },
	]);
});

test('a change that is refused leaves no act, and no value in the acts of others', () => {
	const { endings, details } = detailsOf([
		setLimits('acme', 'alice', { dayBytes: 0 }),
		giveBalance('acme', 'alice', 5_000),
		setNote('acme', 'alice', 'one'),
		setNote('acme', 'nobody', 'other'),
		setNote('acme', 'alice', 'two'),
	]);
	assert.deepEqual(endings, ['invalid_limits', 'insufficient_balance', 'ok', 'unknown_sub_user', 'ok']);
	assert.deepEqual(details, [{ changed: { note: [null, 'one'] } }, { changed: { note: ['one', 'two'] } }]);
});

test('a create has what it cost and gave; one whose name is taken says that the fee bought nothing', () => {
	const having = { amountCents: 250, limits: { monthBytes: 9 }, note: 'pays late' };
	const { endings, details } = detailsOf([
		{ ...createSubUserWith('acme', 'bruno'), ...having },
		{ ...createSubUserWith('acme', 'alice'), ...having },
	]);
	assert.deepEqual(endings, ['ok', 'username_taken']);
	assert.deepEqual(details, [
		{ changed: { month_bytes: [null, 9], note: [null, 'pays late'] }, fee: 10, moved: 250 },
		{ refused: 'username_taken', fee: 10 },
	]);
});

test('a delete says what came back, after what was due is settled', () => {
	const due = { reseller: 'acme', username: 'alice', price: 1, microUsdPerGb: 1, fromBytes: 0, bytes: 1, sinceMs: 0 };
	const { details } = detailsOf([deleteSubUser('acme', 'alice')], { dues: [{ ...due, cents: 20 }] });
	assert.deepEqual(details, [{ moved: 400 }]);
});

test('tokens and webhooks are named, and no secret of theirs is recorded', () => {
	const webhook: Webhook = {
		...{ id: 'whe_1', reseller: 'acme', url: 'https://old.example/k3y?token=s3cret', types: null, offReason: null },
		...{ reached: { number: 0, id: undefined }, ...afresh(0), testAtMs: null, createdAtMs: 0 },
	};
	const { endings, details } = detailsOf(
		[
			createWebhook('acme', 'whe_2', { url: 'https://new.example:8443/k3y?token=s3cret' }),
			{ ...updateWebhook('acme', 'whe_1', {}), url: 'https://old.example/0ther?token=s3cret', isEnabled: false },
			deleteWebhook('acme', 'whe_1'),
			tokenCommand('acme', 'hash of reports', 'reports'),
			endToken('acme', 'hash of billing'),
		],
		{ webhooks: [webhook], tokens: [furtherTokenOf(tokenCommand('acme', 'hash of billing', 'billing'))] },
	);
	assert.deepEqual(endings, ['ok', 'ok', 'ok', 'ok', 'ok']);
	assert.deepEqual(details, [
		{ names: ['new.example:8443'] },
		{ names: ['old.example'], changed: { webhook_host: ['old.example', 'old.example'], webhook_state: ['on', 'off'] } },
		{ names: ['old.example'] },
		{ names: ['reports'] },
		{ names: ['billing'] },
	]);
	for (const part of ['s3cret', 'k3y', '0ther', webhookSecret('whe_2'), 'hash of']) {
		assert.ok(!JSON.stringify(details).includes(part), part);
	}
});

test('the longest details that the rules allow are kept whole', () => {
	const long = (digit: string) => ({
		...{ dayBytes: MAX_BYTES, monthBytes: MAX_BYTES, totalBytes: MAX_BYTES, connections: MAX_CONNECTIONS },
		bytesPerSecond: MAX_BYTES_PER_SECOND - Number.parseInt(digit, 16),
		allowedIps: Array.from({ length: MAX_ALLOWED_IPS }, (_, index) => {
			const group = `${digit}${digit}${digit}${index.toString(16).padStart(1, '0')}`.slice(0, 4).padStart(4, 'f');
			return `${Array.from({ length: 8 }, () => group).join(':')}/128`;
		}),
		expiresAtMs: NOON_MS,
	});
	const note = '\u{1F4A1}'.repeat(MAX_NOTE_CHARACTERS);
	const { endings, details } = detailsOf([
		{ ...createSubUserWith('acme', 'bruno'), limits: long('a'), note },
		setLimits('acme', 'bruno', { ...long('b'), dayBytes: MAX_BYTES - 1, connections: 1, expiresAtMs: NOON_MS + 1 }),
		setNote('acme', 'alice', note),
		setNote('acme', 'alice', '"'.repeat(MAX_NOTE_CHARACTERS)),
	]);
	assert.deepEqual(endings, ['ok', 'ok', 'ok', 'ok']);
	const lengths = details.map((each) => new TextEncoder().encode(JSON.stringify(each ?? null)).length);
	assert.ok(
		details.every((each) => each?.changed),
		`${lengths}`,
	);
	assert.ok(
		lengths.every((length) => length <= MAX_ACT_DETAILS_BYTES),
		`${lengths}`,
	);
});

test('operators do not see the note of a reseller on a sub-user, and resellers not that of operators on them', () => {
	const { details } = detailsOf([
		{ ...createSubUserWith('acme', 'bruno'), limits: { dayBytes: 1 }, note: 'theirs' },
		noteReseller('acme', 'ours'),
	]);
	const seenBy = (who: 'reseller' | 'operator') => details.map((each) => readActDetails(JSON.stringify(each), who));
	const [fee, dayBytes] = [10, [null, 1]];
	assert.deepEqual(seenBy('reseller'), [{ fee, changed: { day_bytes: dayBytes, note: [null, 'theirs'] } }, {}]);
	assert.deepEqual(seenBy('operator'), [
		{ fee, changed: { day_bytes: dayBytes } },
		{ changed: { operator_note: [null, 'ours'] } },
	]);
});
