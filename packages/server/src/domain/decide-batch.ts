import type { Account, AccountBalance, AuthKeyChange } from './account.ts';
import type { Books, Effect, TopUp } from './books.ts';
import { type Command, type Outcome, refuse } from './command.ts';
import { type Decision, decide } from './decide.ts';
import { assertTransfer, type Transfer } from './ledger.ts';
import type { RecordedAct } from './people/act.ts';
import type { ActingSession } from './people/person.ts';
import type { Token, TokenUse } from './token.ts';

/** What a store loads before a batch is decided. Until the commit, nothing else may change it. */
export interface BatchNeeds {
	readonly accounts: readonly { readonly reseller: string; readonly username: string }[];
	/** Names for new accounts. */
	readonly usernames: readonly string[];
	/** Resellers whose tokens change. */
	readonly tokenHolders: readonly string[];
	/** References of top-ups. */
	readonly references: readonly string[];
	/** Ids of acts. */
	readonly acts: readonly string[];
	/** Public ids of the sessions of these acts. */
	readonly sessions: readonly string[];
}

/** What the store found. Whatever is missing here does not exist. */
export interface LoadedBooks {
	readonly accounts: readonly AccountBalance[];
	readonly takenUsernames: readonly string[];
	readonly tokens: readonly Token[];
	readonly topUps: readonly TopUp[];
	/** The ids of acts that were recorded before. */
	readonly recordedActs: readonly string[];
	readonly sessions: readonly ActingSession[];
}

/** What the store has to write for the batch. */
export interface BatchChanges {
	/** New accounts, as at the end of the batch. */
	readonly openedAccounts: readonly Account[];
	/** Existing accounts whose balance changed, as at the end of the batch. */
	readonly changedBalances: readonly AccountBalance[];
	/** Existing accounts whose proxy auth key changed. */
	readonly changedAuthKeys: readonly AuthKeyChange[];
	/** All transfers, in order. */
	readonly transfers: readonly Transfer[];
	/** For each reseller whose tokens changed: all tokens that it has now. */
	readonly tokens: ReadonlyMap<string, readonly Token[]>;
	/** When tokens were last used. A token that no longer exists is not brought back. */
	readonly tokenUses: readonly TokenUse[];
	readonly topUps: readonly TopUp[];
	readonly acts: readonly RecordedAct[];
}

export interface DecidedBatch {
	/** One for each command, in the same order. */
	readonly outcomes: readonly Outcome[];
	readonly changes: BatchChanges;
	/** What the rules threw, by the place of the command that failed alone. */
	readonly faults: ReadonlyMap<number, unknown>;
}

/** What has to be loaded for the batch, without repeats. */
export function needsOf(commands: readonly Command[]): BatchNeeds {
	const accounts = new Map<string, { reseller: string; username: string }>();
	const usernames = new Set<string>();
	const tokenHolders = new Set<string>();
	const references = new Set<string>();
	const acts = new Set<string>();
	const sessions = new Set<string>();
	const needAccount = (reseller: string, username: string) => {
		accounts.set(keyOf({ reseller, username }), { reseller, username });
	};
	for (const command of commands) {
		needAccount(command.reseller, command.reseller);
		if (command.act) {
			acts.add(command.act.id);
			sessions.add(command.act.session);
		}
		switch (command.kind) {
			case 'give_balance':
			case 'take_balance':
			case 'reset_auth_key':
				needAccount(command.reseller, command.username);
				break;
			case 'create_sub_user':
				if (command.username !== undefined) usernames.add(command.username);
				break;
			case 'create_reseller':
				usernames.add(command.reseller);
				break;
			case 'credit_reseller':
				references.add(command.reference);
				break;
			case 'rotate_token':
			case 'revoke_token':
				tokenHolders.add(command.reseller);
				break;
		}
	}
	return {
		accounts: [...accounts.values()],
		usernames: [...usernames],
		tokenHolders: [...tokenHolders],
		references: [...references],
		acts: [...acts],
		sessions: [...sessions],
	};
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
	for (const [place, command] of commands.entries()) {
		if (faults.has(place)) {
			outcomes.push(refuse('rules_failed'));
			continue;
		}
		try {
			const { outcome, effects } = rules(books, command, nowMs);
			for (const effect of effects) books.apply(effect);
			outcomes.push(outcome);
		} catch (fault) {
			faults.set(place, fault);
			return undefined;
		}
	}
	return { outcomes, changes: books.changes() };
}

/** The books during a batch: what was loaded, and what the commands so far have changed. */
class WorkingBooks implements Books {
	readonly #balances = new Map<string, AccountBalance>();
	readonly #changedBalances = new Set<string>();
	readonly #opened = new Map<string, Account>();
	readonly #authKeys = new Map<string, AuthKeyChange>();
	readonly #taken: Set<string>;
	readonly #tokens = new Map<string, readonly Token[]>();
	readonly #tokensChanged = new Set<string>();
	readonly #tokenUses = new Map<string, TokenUse>();
	readonly #topUps = new Map<string, TopUp>();
	readonly #newTopUps: TopUp[] = [];
	readonly #transfers: Transfer[] = [];
	readonly #recordedActs: Set<string>;
	readonly #newActs: RecordedAct[] = [];
	readonly #sessions = new Map<string, ActingSession>();

	constructor(loaded: LoadedBooks) {
		for (const account of loaded.accounts) this.#balances.set(keyOf(account), account);
		this.#taken = new Set(loaded.takenUsernames);
		for (const token of loaded.tokens) {
			this.#tokens.set(token.reseller, [...this.tokensOf(token.reseller), token]);
		}
		for (const topUp of loaded.topUps) this.#topUps.set(topUp.reference, topUp);
		this.#recordedActs = new Set(loaded.recordedActs);
		for (const session of loaded.sessions) this.#sessions.set(session.id, session);
	}

	account(reseller: string, username: string): AccountBalance | undefined {
		return this.#balances.get(keyOf({ reseller, username }));
	}

	isTaken(username: string): boolean {
		return this.#taken.has(username);
	}

	tokensOf(reseller: string): readonly Token[] {
		return this.#tokens.get(reseller) ?? [];
	}

	topUp(reference: string): TopUp | undefined {
		return this.#topUps.get(reference);
	}

	isActRecorded(id: string): boolean {
		return this.#recordedActs.has(id);
	}

	session(id: string): ActingSession | undefined {
		return this.#sessions.get(id);
	}

	apply(effect: Effect): void {
		switch (effect.kind) {
			case 'transfer':
				this.#post(effect.transfer);
				return;
			case 'open_account':
				this.#open(effect.account);
				return;
			case 'replace_auth_key':
				this.#authKeys.set(keyOf(effect.change), effect.change);
				return;
			case 'replace_tokens':
				this.#tokens.set(effect.reseller, effect.tokens);
				this.#tokensChanged.add(effect.reseller);
				return;
			case 'note_token_use':
				this.#noteTokenUse(effect.use);
				return;
			case 'record_top_up':
				this.#topUps.set(effect.topUp.reference, effect.topUp);
				this.#newTopUps.push(effect.topUp);
				return;
			case 'record_act':
				this.#recordedActs.add(effect.act.id);
				this.#newActs.push(effect.act);
				return;
		}
	}

	changes(): BatchChanges {
		const openedAccounts = Array.from(this.#opened, ([key, account]) => ({
			...account,
			...this.#balances.get(key),
			...this.#authKeys.get(key),
		}));
		const changedBalances: AccountBalance[] = [];
		for (const key of this.#changedBalances) {
			const account = this.#balances.get(key);
			if (account && !this.#opened.has(key)) changedBalances.push(account);
		}
		return {
			openedAccounts,
			changedBalances,
			changedAuthKeys: [...this.#authKeys.values()].filter((change) => !this.#opened.has(keyOf(change))),
			transfers: this.#transfers,
			tokens: new Map(Array.from(this.#tokensChanged, (reseller) => [reseller, this.tokensOf(reseller)])),
			tokenUses: [...this.#tokenUses.values()],
			topUps: this.#newTopUps,
			acts: this.#newActs,
		};
	}

	#open(account: Account): void {
		if (account.balanceCents !== 0) throw new Error('a new account must have balance 0');
		if (this.#taken.has(account.username)) throw new Error('the name of a new account is taken');
		const key = keyOf(account);
		this.#opened.set(key, account);
		this.#balances.set(key, { reseller: account.reseller, username: account.username, balanceCents: 0 });
		this.#taken.add(account.username);
	}

	#noteTokenUse(use: TokenUse): void {
		const key = `${use.reseller}/${use.hash}`;
		const known = this.#tokenUses.get(key);
		if (!known || known.usedAtMs < use.usedAtMs) this.#tokenUses.set(key, use);
	}

	#post(transfer: Transfer): void {
		assertTransfer(transfer);
		this.#setBalance(transfer.reseller, transfer.debit, transfer.debitBalanceCents, -transfer.amountCents);
		this.#setBalance(transfer.reseller, transfer.credit, transfer.creditBalanceCents, transfer.amountCents);
		this.#transfers.push(transfer);
	}

	#setBalance(reseller: string, side: string, balanceCents: number | null, changeCents: number): void {
		if (balanceCents === null) return;
		const account = this.account(reseller, side);
		if (!account) throw new Error('a transfer names an account that was not loaded');
		if (account.balanceCents + changeCents !== balanceCents) {
			throw new Error('a transfer does not lead from the balance before to the balance after');
		}
		const key = keyOf(account);
		this.#balances.set(key, { reseller, username: side, balanceCents });
		this.#changedBalances.add(key);
	}
}

/** A username cannot contain a slash. */
function keyOf({ reseller, username }: { reseller: string; username: string }): string {
	return `${reseller}/${username}`;
}
