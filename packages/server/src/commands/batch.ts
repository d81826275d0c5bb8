import type { Books } from '../domain/books.ts';
import type { SettledUsage } from '../domain/metering.ts';
import type { ObjectName } from '../domain/payments/payment.ts';
import type { ChangeName } from '../domain/recorded-change.ts';
import { settledUsage } from '../domain/settling.ts';
import type { BatchChanges, LoadedBooks } from '../domain/stored-books.ts';
import { WorkingBooks } from '../domain/working-books.ts';
import { refuse } from './command.ts';
import { causeOf, changeIdOf, decide } from './decide.ts';
import { type AnyDecision, type Command, type Outcome, verbOf } from './registry.ts';

/** What a store loads before a batch is decided. Until the commit, nothing else may change it. */
export interface BatchNeeds {
	readonly accounts: readonly { readonly reseller: string; readonly username: string }[];
	/** Accounts whose terms change. */
	readonly changedTerms: readonly { readonly reseller: string; readonly username: string }[];
	/** Resellers whose price changes. */
	readonly pricedResellers: readonly string[];
	/** Names for new accounts. */
	readonly usernames: readonly string[];
	/** Resellers whose tokens change. */
	readonly tokenHolders: readonly string[];
	/** Keys of addresses by which accounts are to sign in, and accounts whose addresses change. */
	readonly signInAddresses: readonly string[];
	readonly signInAccounts: readonly { readonly reseller: string; readonly username: string }[];
	/** Resellers whose sub-users may sign in by address, or not. */
	readonly signInResellers: readonly string[];
	/** Resellers of which a webhook changes. */
	readonly webhookHolders: readonly string[];
	/** Events whose ids are needed. */
	readonly events: readonly { readonly reseller: string; readonly number: number }[];
	/** References of top-ups. */
	readonly references: readonly string[];
	/** Ids of payments through providers. */
	readonly payments: readonly string[];
	/** Objects of payment providers. */
	readonly paymentObjects: readonly ObjectName[];
	/** Resellers whose payments are needed that still wait for money. */
	readonly payers: readonly string[];
	/** Ids of acts. */
	readonly acts: readonly string[];
	/** Changes with ids. */
	readonly changes: readonly ChangeName[];
	/** Public ids of the sessions of these acts. */
	readonly sessions: readonly string[];
}

export interface DecidedBatch {
	/** One for each command, in the same order. */
	readonly outcomes: readonly Outcome[];
	readonly changes: BatchChanges;
	/** The bandwidth that the batch settles. */
	readonly settled: readonly SettledUsage[];
	/** What the rules threw, by the index of the command that failed alone. */
	readonly faults: ReadonlyMap<number, unknown>;
}

/** What has to be loaded for the batch, without repeats. */
export function needsOf(commands: readonly Command[]): BatchNeeds {
	/** By reseller. */
	const accounts = new Map<string, Set<string>>();
	/** By reseller. */
	const changedTerms = new Map<string, Set<string>>();
	const pricedResellers = new Set<string>();
	const usernames = new Set<string>();
	const tokenHolders = new Set<string>();
	const signInAddresses = new Set<string>();
	/** By reseller. */
	const signInAccounts = new Map<string, Set<string>>();
	const signInResellers = new Set<string>();
	const webhookHolders = new Set<string>();
	/** By reseller. */
	const events = new Map<string, Set<number>>();
	const references = new Set<string>();
	const payments = new Set<string>();
	/** By provider and id. */
	const paymentObjects = new Map<string, ObjectName>();
	const payers = new Set<string>();
	const acts = new Set<string>();
	/** By reseller. */
	const changes = new Map<string, Set<string>>();
	const sessions = new Set<string>();
	for (const command of commands) {
		const { reseller, act } = command;
		addTo(accounts, reseller, reseller);
		if (act) {
			acts.add(act.id);
			if ('session' in act) sessions.add(act.session);
		}
		const changeId = changeIdOf(command);
		if (changeId !== undefined) addTo(changes, reseller, changeId);
		const needs = verbOf(command).needs?.(command);
		if (!needs) continue;
		for (const username of needs.subUsers ?? []) {
			addTo(accounts, reseller, username);
			if (needs.terms) addTo(changedTerms, reseller, username);
		}
		if (needs.ownTerms) addTo(changedTerms, reseller, reseller);
		if (needs.price) pricedResellers.add(reseller);
		if (needs.tokens) tokenHolders.add(reseller);
		if (needs.signIn) {
			const { username, addresses = [] } = needs.signIn;
			signInResellers.add(reseller);
			if (username !== undefined) addTo(signInAccounts, reseller, username);
			for (const address of addresses) signInAddresses.add(address);
		}
		if (needs.webhooks) webhookHolders.add(reseller);
		if (needs.event !== undefined) addTo(events, reseller, needs.event);
		if (needs.newName !== undefined) usernames.add(needs.newName);
		if (needs.reference !== undefined) references.add(needs.reference);
		if (needs.payment !== undefined) payments.add(needs.payment);
		const object = needs.paymentObject;
		if (object) paymentObjects.set(`${object.provider} ${object.objectId}`, object);
		if (needs.waitingPayments) payers.add(reseller);
	}
	return {
		accounts: namesIn(accounts, accountNamed),
		changedTerms: namesIn(changedTerms, accountNamed),
		pricedResellers: [...pricedResellers],
		usernames: [...usernames],
		tokenHolders: [...tokenHolders],
		signInAddresses: [...signInAddresses],
		signInAccounts: namesIn(signInAccounts, accountNamed),
		signInResellers: [...signInResellers],
		webhookHolders: [...webhookHolders],
		events: namesIn(events, (reseller, number) => ({ reseller, number })),
		references: [...references],
		payments: [...payments],
		paymentObjects: [...paymentObjects.values()],
		payers: [...payers],
		acts: [...acts],
		changes: namesIn(changes, (reseller, id) => ({ reseller, id })),
		sessions: [...sessions],
	};
}

function accountNamed(reseller: string, username: string) {
	return { reseller, username };
}

function addTo<Name>(sets: Map<string, Set<Name>>, reseller: string, name: Name): void {
	const names = sets.get(reseller);
	if (names) names.add(name);
	else sets.set(reseller, new Set([name]));
}

function namesIn<Name, Named>(
	sets: ReadonlyMap<string, ReadonlySet<Name>>,
	named: (reseller: string, name: Name) => Named,
): Named[] {
	return Array.from(sets, ([reseller, names]) => Array.from(names, (name) => named(reseller, name))).flat();
}

/** Decides one command: `decide`, or in tests rules that fail. */
export type Rules = (books: Books, command: Command, nowMs: number) => AnyDecision;

/**
 * Decides the commands in order. Each command sees the effects of the commands before it. If the rules throw for a
 * command, the whole batch is decided again without it, so that it fails alone and leaves no trace. `nowMs` is in Unix
 * milliseconds.
 */
export function decideBatch(
	loaded: LoadedBooks,
	commands: readonly Command[],
	nowMs: number,
	rules: Rules = decide,
): DecidedBatch {
	const faults = new Map<number, unknown>();
	for (;;) {
		const decided = decideWithout(faults, loaded, commands, nowMs, rules);
		if (decided) return { ...decided, faults };
	}
}

/** Returns `undefined` if another command threw, and adds that command to the faults. */
function decideWithout(
	faults: Map<number, unknown>,
	loaded: LoadedBooks,
	commands: readonly Command[],
	nowMs: number,
	rules: Rules,
): Omit<DecidedBatch, 'faults'> | undefined {
	const books = new WorkingBooks(loaded);
	const outcomes: Outcome[] = [];
	const settled: SettledUsage[] = [];
	for (const [index, command] of commands.entries()) {
		if (faults.has(index)) {
			outcomes.push(refuse('rules_failed'));
			continue;
		}
		try {
			const { outcome, effects } = rules(books, command, nowMs);
			const cause = causeOf(command);
			for (const effect of effects) books.apply(effect, cause);
			if (effects.length > 0) books.assertDebtIsPaid(command.reseller);
			settled.push(...settledUsage(command.kind, effects));
			outcomes.push(outcome);
		} catch (fault) {
			faults.set(index, fault);
			return undefined;
		}
	}
	return { outcomes, settled, changes: books.changes() };
}
