import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInKey } from '@bursar/contract/sign-in-ips';
import { printedSeed } from '@bursar/testing/random';
import fc from 'fast-check';
import { decideBatch, needsOf, type Rules } from '../../src/commands/batch.ts';
import { decide } from '../../src/commands/decide.ts';
import type { Command } from '../../src/commands/registry.ts';
import type { Effect } from '../../src/domain/books.ts';
import type { PostedTransfer, Transfer } from '../../src/domain/ledger.ts';
import type { BatchChanges, LoadedBooks } from '../../src/domain/stored-books.ts';
import type { TermsChange } from '../../src/domain/terms.ts';
import { loadedBooks } from '../support/books.ts';
import {
	allowSignIn,
	createNothing,
	createReseller,
	createSubUser,
	creditReseller,
	deleteSubUser,
	giveBalance,
	NOON_MS,
	postUsage,
	resetAuthKey,
	resumeReseller,
	revokeToken,
	rotateToken,
	setLimits,
	setNote,
	setSignInIps,
	suspendReseller,
	suspendSubUser,
	takeBalance,
	tokenOf,
} from '../support/commands.ts';

const BALANCES = { 'acme/acme': 100, 'acme/alice': 50, 'acme/ben_2': 0, 'other/olga': 0, 'other/other': 30 };
const START = loadedBooks({
	balances: BALANCES,
	tokens: [tokenOf(revokeToken('acme', 'a'))],
	recordedChanges: [{ reseller: 'acme', id: 'done-before-0001' }],
	newestMovements: { other: 7 },
	signInAddresses: [
		{ reseller: 'acme', username: 'alice', address: signInKey('192.0.2.1') },
		{ reseller: 'other', username: 'olga', address: signInKey('2001:db8::1') },
	],
	signInResellers: ['acme', 'other'],
});

const names = fc.constantFrom('acme', 'other', 'alice', 'bruno', 'chiara');
const cents = fc.constantFrom(-60, 0, 1, 9, 10, 40, 100);
/** Few, so that they repeat. */
const changeIds = fc.constantFrom(undefined, 'done-before-0001', 'change-number-01', 'change-number-02');
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
	fc.tuple(names, cents).map(([name, amount]) => createReseller(name, amount)),
	fc.tuple(names, cents, fc.constantFrom('r1', 'r2')).map((args) => creditReseller(...args)),
	// Only existing resellers send commands. Any other is a fault.
	fc
		.tuple(fc.constantFrom('acme', 'other'), names, cents, changeIds)
		.chain(([reseller, name, amount, changeId]) =>
			fc.constantFrom<Command>(
				{ ...createSubUser(reseller, name), changeId },
				{ ...createNothing(reseller), changeId },
				{ ...giveBalance(reseller, name, amount), changeId },
				{ ...takeBalance(reseller, name, amount), changeId },
				{ ...resetAuthKey(reseller, name, amount), changeId },
				{ ...suspendSubUser(reseller, name), changeId },
				{ ...suspendSubUser(reseller, name), kind: 'resume_sub_user' },
				{ ...setLimits(reseller, name, { dayBytes: amount }), changeId },
				{ ...setLimits(reseller, name, { connections: amount === 0 ? null : 7 }), changeId },
				setNote(reseller, name, `note ${amount}`),
				{ ...deleteSubUser(reseller, name), changeId },
				allowSignIn(reseller, amount > 0),
				suspendReseller(reseller),
				resumeReseller(reseller),
				resumeReseller(reseller),
				rotateToken(reseller, `rotated ${amount} ${name}`, 0),
				revokeToken(reseller, `revoked ${amount} ${name}`),
			),
		),
);

const ips = fc.subarray(['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2']);
const addressCommand: fc.Arbitrary<Command> = fc.oneof(
	{
		weight: 5,
		arbitrary: fc
			.tuple(fc.constantFrom('alice', 'ben_2', 'olga', 'nobody'), fc.oneof(ips, fc.constant(['2001:db8::/64'])))
			.map(([name, some]) => setSignInIps(name === 'olga' ? 'other' : 'acme', name, ...some)),
	},
	{ weight: 1, arbitrary: fc.constantFrom(deleteSubUser('acme', 'alice'), deleteSubUser('other', 'olga')) },
	{
		weight: 1,
		arbitrary: fc.tuple(fc.constantFrom('acme', 'other'), fc.boolean()).map((args) => allowSignIn(...args)),
	},
);

/** Whether two keys are equal, or one is the /64 of the other. */
function overlap(one: string, other: string): boolean {
	return (
		one === other || (one.includes(':') && one.slice(0, 19) === other.slice(0, 19) && `${one}${other}`.includes('/'))
	);
}

test('a batch has the same results as its commands one by one', (t) => {
	const property = fc.property(fc.array(fc.oneof(anyCommand, addressCommand), { maxLength: 30 }), (commands) => {
		const together = decideBatch(START, commands, NOON_MS);
		let books: LoadedBooks = START;
		const alone = commands.map((command) => {
			const { outcomes, changes } = decideBatch(books, [command], NOON_MS);
			books = applied(books, changes);
			return outcomes[0];
		});
		assert.equal(together.faults.size, 0);
		assert.deepEqual(together.outcomes, alone);
		assert.deepEqual(applied(START, together.changes), books);
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 1000 });
});

test('a batch loads everything that its commands need, and nothing twice', (t) => {
	const property = fc.property(fc.array(fc.oneof(anyCommand, addressCommand), { maxLength: 30 }), (commands) => {
		const needs = needsOf(commands);
		const loaded = {
			accounts: START.accounts.filter((account) =>
				needs.accounts.some((need) => need.reseller === account.reseller && need.username === account.username),
			),
			dues: START.dues,
			debts: START.debts,
			exhausted: START.exhausted,
			newestEvents: START.newestEvents,
			newestMovements: START.newestMovements,
			terms: START.terms.filter(({ reseller, username }) =>
				needs.changedTerms.some((need) => need.reseller === reseller && need.username === username),
			),
			suspendedResellers: START.suspendedResellers,
			prices: START.prices,
			takenUsernames: START.takenUsernames.filter((username) => needs.usernames.includes(username)),
			tokens: START.tokens.filter(({ reseller }) => needs.tokenHolders.includes(reseller)),
			payments: [],
			signInAddresses: START.signInAddresses.filter(
				({ address, reseller, username }) =>
					needs.signInAddresses.some((need) => overlap(need, address)) ||
					needs.signInAccounts.some((need) => need.reseller === reseller && need.username === username),
			),
			signInResellers: START.signInResellers.filter((reseller) => needs.signInResellers.includes(reseller)),
			webhooks: [],
			oldestEvents: [],
			eventIds: [],
			topUps: START.topUps.filter(({ reference }) => needs.references.includes(reference)),
			recordedActs: START.recordedActs.filter((id) => needs.acts.includes(id)),
			recordedChanges: START.recordedChanges.filter(({ reseller, id }) =>
				needs.changes.some((need) => need.reseller === reseller && need.id === id),
			),
			sessions: START.sessions.filter(({ id }) => needs.sessions.includes(id)),
		};
		assert.deepEqual(decideBatch(loaded, commands, NOON_MS), decideBatch(START, commands, NOON_MS));
		for (const list of Object.values(needs)) {
			assert.equal(new Set(list.map((need: unknown) => JSON.stringify(need))).size, list.length);
		}
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 500 });
});

test('commands that throw fail alone, and the others take effect as if without them', (t) => {
	const chosen = fc.array(fc.tuple(anyCommand, fc.boolean()), { maxLength: 20 });
	const property = fc.property(chosen, (pairs) => {
		const broken = new Set<Command>(pairs.filter(([, breaks]) => breaks).map(([command]) => command));
		// A broken command throws at its last effect, after all others were applied.
		const rules: Rules = (books, command, nowMs) => {
			const decision = decide(books, command, nowMs);
			if (!broken.has(command)) return decision;
			return { ...decision, effects: [...decision.effects, unbalanced('acme')] };
		};
		// A command may occur twice as the same object.
		const commands = pairs.map(([command]) => command);
		const sound = commands.filter((command) => !broken.has(command));
		const together = decideBatch(START, commands, NOON_MS, rules);
		const without = decideBatch(START, sound, NOON_MS);
		assert.deepEqual(together.changes, without.changes);
		const soundOutcomes = together.outcomes.filter((_, index) => !broken.has(commands[index] as Command));
		assert.deepEqual(soundOutcomes, without.outcomes);
		for (const [index, command] of commands.entries()) {
			assert.equal(together.faults.has(index), broken.has(command));
			if (broken.has(command)) assert.deepEqual(together.outcomes[index], { ok: false, error: 'rules_failed' });
		}
	});
	fc.assert(property, { seed: printedSeed(t), numRuns: 500 });
});

test('impossible effects are faults before anything is written', () => {
	const transfer: Transfer = {
		reseller: 'acme',
		debit: 'acme',
		credit: 'alice',
		amountCents: 10,
		kind: 'give',
		atMs: NOON_MS,
		requestId: 'test-request',
		debitBalanceCents: 90,
		creditBalanceCents: 60,
	};
	const account = { reseller: 'acme', username: 'bruno', balanceCents: 0, proxyAuthkey: 'k', createdAtMs: NOON_MS };
	const impossible: readonly Effect[] = [
		{ kind: 'transfer', transfer: { ...transfer, debitBalanceCents: 91 } },
		{ kind: 'transfer', transfer: { ...transfer, creditBalanceCents: 59 } },
		{ kind: 'transfer', transfer: { ...transfer, amountCents: 0, debitBalanceCents: 100, creditBalanceCents: 50 } },
		{ kind: 'transfer', transfer: { ...transfer, amountCents: -10, debitBalanceCents: 110, creditBalanceCents: 40 } },
		{
			kind: 'transfer',
			transfer: { ...transfer, amountCents: 0.5, debitBalanceCents: 99.5, creditBalanceCents: 50.5 },
		},
		{ kind: 'transfer', transfer: { ...transfer, amountCents: 101, debitBalanceCents: -1, creditBalanceCents: 151 } },
		{ kind: 'transfer', transfer: { ...transfer, credit: 'acme', creditBalanceCents: 100 } },
		{ kind: 'transfer', transfer: { ...transfer, credit: 'nobody', creditBalanceCents: 10 } },
		{ kind: 'transfer', transfer: { ...transfer, credit: 'other', creditBalanceCents: 40 } },
		{ kind: 'transfer', transfer: { ...transfer, debitBalanceCents: null } },
		{ kind: 'transfer', transfer: { ...transfer, kind: 'gift' as 'give' } },
		{ kind: 'transfer', transfer: { ...transfer, creditBalanceCents: null } },
		{ kind: 'open_account', account: { ...account, balanceCents: 1 } },
		{ kind: 'open_account', account: { ...account, username: 'alice' } },
		{ kind: 'open_account', account: { ...account, username: 'other' } },
	];
	for (const effect of impossible) {
		const rules: Rules = () => ({ outcome: { ok: true, username: 'alice', balanceCents: 60 }, effects: [effect] });
		const { outcomes, changes, faults } = decideBatch(START, [giveBalance('acme', 'alice', 10)], NOON_MS, rules);
		assert.deepEqual(outcomes, [{ ok: false, error: 'rules_failed' }], JSON.stringify(effect));
		assert.ok(faults.get(0) instanceof Error);
		assert.deepEqual([changes.transfers, changes.changedBalances, changes.openedAccounts], [[], [], []]);
	}
});

test('one batch can create a sub-user, give it balance, reset its key and take balance', () => {
	const commands = [
		createSubUser('acme', 'bruno'),
		giveBalance('acme', 'bruno', 90),
		giveBalance('acme', 'bruno', 1),
		resetAuthKey('acme', 'bruno', 7),
		takeBalance('acme', 'bruno', 40),
		createSubUser('other', 'bruno'),
	];
	const { outcomes, changes } = decideBatch(START, commands, NOON_MS);
	assert.deepEqual(
		outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.error)),
		['ok', 'ok', 'insufficient_balance', 'ok', 'ok', 'username_taken'],
	);
	assert.deepEqual(changes.openedAccounts, [
		{
			...{ reseller: 'acme', username: 'bruno', balanceCents: 50, proxyAuthkey: 'bruno70000000000' },
			...{ createdAtMs: NOON_MS, told: null, newestMovement: 0 },
		},
	]);
	assert.deepEqual(changes.changedAuthKeys, []);
	assert.deepEqual(changes.changedBalances, [
		{ reseller: 'acme', username: 'acme', balanceCents: 40, newestMovement: 3 },
		{ reseller: 'other', username: 'other', balanceCents: 20, newestMovement: 8 },
	]);
});

test('movements count within their reseller, and have the id of their change', () => {
	const commands = [
		{ ...giveBalance('acme', 'alice', 5), changeId: 'change-number-01', reference: 'order-1' },
		creditReseller('other', 5, 'r1'),
		// Refused, so that it takes no id.
		giveBalance('acme', 'alice', 5_000),
		{ ...createSubUser('acme', 'bruno'), changeId: 'change-number-02' },
		{ ...deleteSubUser('acme', 'alice'), changeId: 'change-number-03' },
		creditReseller('other', 5, 'r2'),
	];
	const { changes, faults } = decideBatch(START, commands, NOON_MS);
	assert.equal(faults.size, 0);
	assert.deepEqual(
		changes.transfers.map(({ id, changeId, transfer }) => [transfer.reseller, id, transfer.kind, changeId]),
		[
			['acme', 1, 'give', 'change-number-01'],
			['other', 8, 'top_up', null],
			['acme', 2, 'create_fee', 'change-number-02'],
			['acme', 3, 'take', 'change-number-03'],
			['other', 9, 'top_up', null],
		],
	);
	assert.equal(changes.transfers[0]?.transfer.reference, 'order-1');
	const newest = changes.changedBalances.map(({ username, newestMovement }) => [username, newestMovement]);
	assert.deepEqual(newest.sort(), [
		['acme', 3],
		['alice', 0],
		['other', 9],
	]);
});

test('a reseller whose money has moved is written, even if its own balance stays', () => {
	const due = { price: 1, microUsdPerGb: 10_000, fromBytes: 0, bytes: 5 * 10 ** 9, cents: 5, sinceMs: NOON_MS };
	const books = { ...START, dues: [{ reseller: 'acme', username: 'alice', ...due }] };
	const { changes } = decideBatch(books, [postUsage('acme', 'alice')], NOON_MS);
	assert.deepEqual(changes.changedBalances, [
		{ reseller: 'acme', username: 'alice', balanceCents: 45, newestMovement: 0 },
		{ reseller: 'acme', username: 'acme', balanceCents: 100, newestMovement: 1 },
	]);
});

function unbalanced(reseller: string): Effect {
	const base = { reseller, atMs: NOON_MS, requestId: 'test-request', kind: 'give', debitBalanceCents: null } as const;
	const transfer = { ...base, debit: 'platform:funding', credit: reseller, amountCents: 1, creditBalanceCents: -5 };
	return { kind: 'transfer', transfer };
}

test('a reference that no payment can have is not looked up', () => {
	const { references } = needsOf([creditReseller('acme', 1, 'a\u0000b'), creditReseller('acme', 1, 'INV-1')]);
	assert.deepEqual(references, ['INV-1']);
});

function reached({ id, transfer }: PostedTransfer): [reseller: string, id: number] {
	return [transfer.reseller, id];
}

/** The last one of each reseller, sorted. */
function newestOf(ids: readonly [reseller: string, id: number][]): ReadonlyMap<string, number> {
	return new Map([...new Map(ids)].sort());
}

/** The books after a batch, sorted so that tests can compare them. */
function applied(books: LoadedBooks, changes: BatchChanges): LoadedBooks {
	const accounts = new Map(books.accounts.map((account) => [nameOf(account), account]));
	for (const { reseller, username, balanceCents } of [...changes.openedAccounts, ...changes.changedBalances]) {
		accounts.set(nameOf({ reseller, username }), { reseller, username, balanceCents });
	}
	for (const deletion of changes.deletions) accounts.delete(nameOf(deletion));
	const terms = new Map([...books.terms, ...changes.changedTerms].map((each) => [nameOf(each), each]));
	const isSuspended = ({ username, reseller, terms }: TermsChange) =>
		username === reseller && terms.suspendedAtMs !== null;
	const changedResellers = changes.changedTerms.filter(({ username, reseller }) => username === reseller);
	const unchanged = books.tokens.filter(({ reseller }) => !changes.tokens.has(reseller));
	return {
		accounts: sorted([...accounts.values()]),
		dues: books.dues,
		debts: books.debts,
		exhausted: books.exhausted,
		newestEvents: books.newestEvents,
		newestMovements: newestOf([...books.newestMovements, ...changes.transfers.map(reached)]),
		terms: sorted([...terms.values()]),
		suspendedResellers: [
			...books.suspendedResellers.filter((name) => !changedResellers.some(({ reseller }) => reseller === name)),
			...changedResellers.filter(isSuspended).map(({ reseller }) => reseller),
		].sort(),
		prices: books.prices,
		payments: [],
		signInAddresses: sorted([
			...books.signInAddresses.filter((each) => !changes.changedSignIns.some((one) => nameOf(one) === nameOf(each))),
			...changes.changedSignIns.flatMap(({ addresses, reseller, username }) =>
				addresses.map((address) => ({ address, reseller, username })),
			),
		]),
		signInResellers: [
			...books.signInResellers.filter((reseller) => !changes.signInPermissions.has(reseller)),
			...[...changes.signInPermissions].flatMap(([reseller, isAllowed]) => (isAllowed ? [reseller] : [])),
		].sort(),
		webhooks: [],
		oldestEvents: [],
		eventIds: [],
		takenUsernames: [...books.takenUsernames, ...changes.openedAccounts.map(({ username }) => username)].sort(),
		tokens: sorted([...unchanged, ...[...changes.tokens.values()].flat()]),
		topUps: sorted([...books.topUps, ...changes.topUps]),
		sessions: books.sessions,
		recordedActs: [...books.recordedActs, ...changes.acts.map(({ id }) => id)].sort(),
		recordedChanges: sorted([
			...books.recordedChanges,
			...changes.recordedChanges.map(({ reseller, id }) => ({ reseller, id })),
		]),
	};
}

function nameOf({ reseller, username }: { readonly reseller: string; readonly username: string }): string {
	return `${reseller}/${username}`;
}

function sorted<Item>(items: readonly Item[]): Item[] {
	return items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
