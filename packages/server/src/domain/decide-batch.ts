import type { Books } from './books.ts';
import { type Command, type Outcome, refuse } from './command.ts';
import { decide } from './decide.ts';
import { settledUsage } from './decide-metering.ts';
import type { Decision } from './decision.ts';
import type { SettledUsage } from './metering.ts';
import type { ChangeName } from './recorded-change.ts';
import { isReference } from './reference.ts';
import { type BatchChanges, type LoadedBooks, WorkingBooks } from './working-books.ts';

/** What a store loads before a batch is decided. Until the commit, nothing else may change it. */
export interface BatchNeeds {
	readonly accounts: readonly { readonly reseller: string; readonly username: string }[];
	/** Sub-users whose terms change. */
	readonly changedTerms: readonly { readonly reseller: string; readonly username: string }[];
	/** Resellers whose price changes. */
	readonly pricedResellers: readonly string[];
	/** Names for new accounts. */
	readonly usernames: readonly string[];
	/** Resellers whose tokens change. */
	readonly tokenHolders: readonly string[];
	/** References of top-ups. */
	readonly references: readonly string[];
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
	const references = new Set<string>();
	const acts = new Set<string>();
	/** By reseller. */
	const changes = new Map<string, Set<string>>();
	const sessions = new Set<string>();
	const needAccount = (reseller: string, username: string) => addTo(accounts, reseller, username);
	for (const command of commands) {
		needAccount(command.reseller, command.reseller);
		if (command.act) {
			acts.add(command.act.id);
			if ('session' in command.act) sessions.add(command.act.session);
		}
		if ('changeId' in command && command.changeId !== undefined) addTo(changes, command.reseller, command.changeId);
		switch (command.kind) {
			case 'give_balance':
			case 'take_balance':
			case 'reset_auth_key':
			case 'delete_sub_user':
				needAccount(command.reseller, command.username);
				break;
			case 'suspend_sub_user':
			case 'resume_sub_user':
			case 'set_limits':
			case 'set_note':
				needAccount(command.reseller, command.username);
				addTo(changedTerms, command.reseller, command.username);
				break;
			case 'create_sub_user':
				if (command.username !== undefined) usernames.add(command.username);
				break;
			case 'create_reseller':
				usernames.add(command.reseller);
				break;
			case 'credit_reseller':
				if (isReference(command.reference)) references.add(command.reference);
				break;
			case 'set_price':
				pricedResellers.add(command.reseller);
				break;
			case 'post_usage':
				for (const username of command.usernames) needAccount(command.reseller, username);
				break;
			case 'rotate_token':
			case 'revoke_token':
				tokenHolders.add(command.reseller);
				break;
		}
	}
	return {
		accounts: namesIn(accounts, accountNamed),
		changedTerms: namesIn(changedTerms, accountNamed),
		pricedResellers: [...pricedResellers],
		usernames: [...usernames],
		tokenHolders: [...tokenHolders],
		references: [...references],
		acts: [...acts],
		changes: namesIn(changes, (reseller, id) => ({ reseller, id })),
		sessions: [...sessions],
	};
}

function accountNamed(reseller: string, username: string) {
	return { reseller, username };
}

function addTo(sets: Map<string, Set<string>>, reseller: string, name: string): void {
	const names = sets.get(reseller);
	if (names) names.add(name);
	else sets.set(reseller, new Set([name]));
}

function namesIn<Named>(
	sets: ReadonlyMap<string, ReadonlySet<string>>,
	named: (reseller: string, name: string) => Named,
): Named[] {
	return Array.from(sets, ([reseller, names]) => Array.from(names, (name) => named(reseller, name))).flat();
}

/** Decides one command: `decide`, or in tests rules that fail. */
export type Rules = (books: Books, command: Command, nowMs: number) => Decision;

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
			for (const effect of effects) books.apply(effect);
			if (effects.length > 0) books.assertDebtIsPaid(command.reseller);
			settled.push(...settledUsage(command, effects));
			outcomes.push(outcome);
		} catch (fault) {
			faults.set(index, fault);
			return undefined;
		}
	}
	return { outcomes, settled, changes: books.changes() };
}
