import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { decide } from '../../src/commands/decide.ts';
import type { Command } from '../../src/commands/registry.ts';
import { decideUsage, type LoadedUsage } from '../../src/commands/usage/count.ts';
import { bytesLeft, costOf, type Due, isPrice, type Price, UNITS_OF_CENT } from '../../src/domain/metering.ts';
import { settledUsage } from '../../src/domain/settling.ts';
import { usageDayOf } from '../../src/domain/usage.ts';
import { booksOf } from '../support/books.ts';
import { giveBalance, NOON_MS, postUsage, setPrice, takeBalance } from '../support/commands.ts';

const GB = 1_000_000_000;
const bytes = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const price = fc.integer({ min: 1, max: 1_000_000_000 });

function due(cents: number, changes: Partial<Due> = {}): Due {
	const usual = { reseller: 'acme', username: 'alice', price: 1, microUsdPerGb: 1_000_000, fromBytes: 0, bytes: 5 };
	return { ...usual, cents, sinceMs: NOON_MS, ...changes };
}

function kinds(books: ReturnType<typeof booksOf>, command: Command): readonly string[] {
	return decide(books, command, NOON_MS).effects.map((effect) =>
		effect.kind === 'transfer' ? `${effect.transfer.kind} ${effect.transfer.amountCents}` : effect.kind,
	);
}

test('a cost is exact: 1 GB at 3.50 USD is 350 cents, and no fraction is lost', (t) => {
	assert.deepEqual(costOf(GB, 3_500_000), { cents: 350, rest: 0 });
	assert.deepEqual(costOf(1, 1), { cents: 0, rest: 1 });
	const property = fc.property(bytes, price, (used, perGb) => {
		const { cents, rest } = costOf(used, perGb);
		assert.equal(BigInt(cents) * BigInt(UNITS_OF_CENT) + BigInt(rest), BigInt(used) * BigInt(perGb));
		assert.ok(rest >= 0 && rest < UNITS_OF_CENT);
	});
	fc.assert(property, { seed: printedSeed(t) });
});

test('after the bytes that are left, and not before, nothing is left of a balance', (t) => {
	const balance = fc.integer({ min: 1, max: 1_000_000 });
	const rest = fc.integer({ min: 0, max: UNITS_OF_CENT - 1 });
	const property = fc.property(balance, rest, price, (cents, units, perGb) => {
		const left = bytesLeft(cents, units, perGb);
		if (left === Number.MAX_SAFE_INTEGER) return;
		const usedUp = (used: number) =>
			BigInt(units) + BigInt(used) * BigInt(perGb) >= BigInt(cents) * BigInt(UNITS_OF_CENT);
		assert.ok(usedUp(left));
		assert.ok(left === 0 || !usedUp(left - 1));
	});
	fc.assert(property, { seed: printedSeed(t) });
	assert.equal(bytesLeft(0, 0, 1), 0);
	assert.equal(bytesLeft(0, 7, 1), 0);
});

test('a price is from one micro-dollar to a thousand dollars a GB', () => {
	for (const good of [1, 3_500_000, 1_000_000_000]) assert.ok(isPrice(good));
	for (const bad of [0, -1, 0.5, 1_000_000_001, Number.NaN, Number.POSITIVE_INFINITY]) assert.ok(!isPrice(bad));
});

test('who pays is settled first; who is paid, only if it owes more than it has', () => {
	const balances = { 'acme/acme': 100, 'acme/alice': 80 };
	const owing = (cents: number) => booksOf({ balances, dues: [due(cents)] });
	assert.deepEqual(kinds(owing(30), takeBalance('acme', 'alice', 50)), ['settle_usage', 'usage 30', 'take 50']);
	assert.deepEqual(kinds(owing(31), takeBalance('acme', 'alice', 50)), []);
	assert.deepEqual(kinds(owing(80), giveBalance('acme', 'alice', 50)), ['give 50']);
	const overdrawn = ['settle_usage', 'usage 80', 'debt 1', 'give 50', 'debt_payment 1'];
	assert.deepEqual(kinds(owing(81), giveBalance('acme', 'alice', 50)), overdrawn);
	const broke = booksOf({ balances: { ...balances, 'acme/alice': 0 }, dues: [due(5)] });
	assert.deepEqual(kinds(broke, giveBalance('acme', 'alice', 50)), [
		'settle_usage',
		'debt 5',
		'give 50',
		'debt_payment 5',
	]);
});

test('a posting charges each account once: its balance pays, and the reseller owes the rest', () => {
	const balances = { 'acme/acme': 15, 'acme/alice': 80, 'acme/bruno': 10 };
	const dues = [due(100), due(10, { username: 'bruno' }), due(3, { username: 'gone1' })];
	const command = postUsage('acme', 'alice', 'bruno', 'gone1', 'nobody');
	const books = booksOf({ balances, dues });
	assert.deepEqual(kinds(books, command), [
		...['settle_usage', 'usage 80', 'debt 20', 'judge'],
		...['settle_usage', 'usage 10', 'judge'],
		...['settle_usage', 'debt 3', 'judge'],
		...['judge', 'debt_payment 15', 'happened'],
	]);
	assert.deepEqual(settledUsage(command.kind, decide(books, command, NOON_MS).effects), [
		{ reseller: 'acme', username: 'alice', by: 'post_usage', paidCents: 80, debtCents: 0, ranOut: true },
		{ reseller: 'acme', username: 'alice', by: 'post_usage', paidCents: 0, debtCents: 20, ranOut: false },
		{ reseller: 'acme', username: 'bruno', by: 'post_usage', paidCents: 10, debtCents: 0, ranOut: true },
		{ reseller: 'acme', username: 'gone1', by: 'post_usage', paidCents: 0, debtCents: 3, ranOut: false },
	]);
});

test('a new price has the next number; a change keeps since when there is one, and the same price changes nothing', () => {
	const present: Price = {
		...{ reseller: 'acme', number: 4, microUsdPerGb: 1_000_000, meteredSinceMs: 17, setAtMs: 20, requestId: 'r' },
	};
	const books = booksOf({ balances: { 'acme/acme': 0 }, prices: [present] });
	const priceSet = (microUsdPerGb: number | null) => decide(books, setPrice('acme', microUsdPerGb), NOON_MS);
	assert.deepEqual(priceSet(1_000_000), { outcome: { ok: true, price: present, debtLineCents: 500 }, effects: [] });
	const changed = { ...present, number: 5, microUsdPerGb: 7, setAtMs: NOON_MS, requestId: 'test-request' };
	assert.deepEqual(priceSet(7).effects, [{ kind: 'set_price', price: changed }]);
	const none = booksOf({ balances: { 'acme/acme': 0 }, prices: [{ ...present, microUsdPerGb: null }] });
	const again = decide(none, setPrice('acme', 7), NOON_MS).effects;
	assert.deepEqual(again, [{ kind: 'set_price', price: { ...changed, meteredSinceMs: NOON_MS } }]);
	assert.deepEqual(priceSet(0).outcome, { ok: false, error: 'invalid_price' });
	assert.deepEqual(decide(books, setPrice('other', 7), NOON_MS).outcome, { ok: false, error: 'unknown_reseller' });
});

test('a reseller is told of a debt when it begins, when it passes the line or the line passes it, and when it is paid', () => {
	const toldOf = (debtCents: number, debtLineCents?: number) => {
		const books = booksOf({ balances: { 'acme/acme': 0 }, debts: { acme: debtCents } });
		const { effects } = decide(books, { ...setPrice('acme', null), debtLineCents }, NOON_MS);
		return effects.flatMap((effect) => (effect.kind === 'happened' ? [effect.happening.data] : []));
	};
	assert.deepEqual(toldOf(300, 300), []);
	assert.deepEqual(toldOf(300, 299), [{ state: 'beyond_line', debt: 300, line: 299 }]);
	assert.deepEqual(toldOf(501, 299), [], 'it was beyond the line before');
	assert.deepEqual(toldOf(501, 600), [{ state: 'within_line', debt: 501, line: 600 }]);
});

test('a batch of usage has the cost of its bytes by day, reseller and meter, without what came before the price', () => {
	const metered = { reseller: 'acme', number: 2, microUsdPerGb: 1_000_000, meteredSinceMs: NOON_MS };
	const loaded: LoadedUsage = {
		...{ reports: new Map(), counters: new Map(), paces: new Map(), days: new Map() },
		...{ resellerDays: new Map(), meters: new Map(), horizonMs: 0, readingDays: { count: 0, latest: 0 } },
		resellers: new Map([
			['alice', 'acme'],
			['bruno', 'acme'],
			['chiara', 'other'],
		]),
		prices: new Map([['acme', metered]]),
	};
	const used = (username: string, atMs: number, id: string) => {
		return { source: 's', id, username, atMs, bytesUp: GB, bytesDown: GB };
	};
	const reports = [
		used('alice', NOON_MS, '1'),
		used('alice', NOON_MS - 1, '2'),
		used('bruno', NOON_MS, '3'),
		used('chiara', NOON_MS, '4'),
	];
	const { addedDays, addedResellerDays, addedMeters } = decideUsage(loaded, reports, NOON_MS);
	const day = usageDayOf(NOON_MS);
	const costs = new Map(addedDays.map(({ username, cost }) => [username, cost.cents]));
	assert.deepEqual(Object.fromEntries(costs), { alice: 200, bruno: 200, chiara: 0 });
	assert.deepEqual(
		addedResellerDays.map(({ reseller, day: of, cost }) => [reseller, of, cost.cents]),
		[
			['acme', day, 400],
			['other', day, 0],
		],
	);
	assert.deepEqual(addedMeters, [
		{ username: 'alice', price: metered, bytes: 2 * GB, cost: { cents: 200, rest: 0 } },
		{ username: 'bruno', price: metered, bytes: 2 * GB, cost: { cents: 200, rest: 0 } },
	]);
});
