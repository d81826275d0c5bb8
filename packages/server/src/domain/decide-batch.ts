import type { Account, AccountBalance, AuthKeyChange } from './account.ts';
import type { Books, Effect, TopUp } from './books.ts';
import { type Command, type Outcome, refuse } from './command.ts';
import { type Decision, decide } from './decide.ts';
import { assertTransfer, type Transfer } from './ledger.ts';
import type { Token, TokenUse } from './token.ts';

/** What a store has to load, and keep others from changing, before a batch can be decided. */
export interface BatchNeeds {
	readonly accounts: readonly { readonly reseller: string; readonly username: string }[];
	/** Names that a command wants to open an account under. */
	readonly usernames: readonly string[];
	/** Resellers whose tokens change. */
	readonly tokenHolders: readonly string[];
	/** References of top-ups. */
	readonly references: readonly string[];
}

/** What the store found of what was needed; what it does not name does not exist. */
export interface LoadedBooks {
	readonly accounts: readonly AccountBalance[];
	readonly takenUsernames: readonly string[];
	readonly tokens: readonly Token[];
	readonly topUps: readonly TopUp[];
}

/** What the store has to write so that the batch has happened. */
export interface BatchChanges {
	/** New accounts, as at the end of the batch. */
	readonly openedAccounts: readonly Account[];
	/** The accounts of before whose balance changed, as at the end of the batch. */
	readonly changedBalances: readonly AccountBalance[];
	/** The accounts of before whose proxy auth key changed. */
	readonly changedAuthKeys: readonly AuthKeyChange[];
	/** All movements, in the order in which they happened. */
	readonly transfers: readonly Transfer[];
	/** For each reseller whose tokens changed: all that it has now. */
	readonly tokens: ReadonlyMap<string, readonly Token[]>;
	/** When tokens were last used. A token that has ended meanwhile stays ended. */
	readonly tokenUses: readonly TokenUse[];
	readonly topUps: readonly TopUp[];
}

export interface DecidedBatch {
	/** One for each command, in the same order. */
	readonly outcomes: readonly Outcome[];
	readonly changes: BatchChanges;
	/** What was thrown by commands that failed alone, by their place in the batch. */
	readonly faults: ReadonlyMap<number, unknown>;
}

/** What the batch has to know, without repeats. */
export function needsOf(commands: readonly Command[]): BatchNeeds {
	const accounts = new Map<string, { reseller: string; username: string }>();
	const usernames = new Set<string>();
	const tokenHolders = new Set<string>();
	const references = new Set<string>();
	const needAccount = (reseller: string, username: string) => {
		accounts.set(keyOf({ reseller, username }), { reseller, username });
	};
	for (const command of commands) {
		needAccount(command.reseller, command.reseller);
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
	};
}

/** Decides one command on the books as they stand: `decide`, or in tests rules that fail. */
export type Rules = (books: Books, command: Command, nowMs: number) => Decision;

/**
 * Decides the commands one after another, each on the books as the ones before it left them, as if
 * each were alone. Where the rules throw, the whole batch is decided again without that command,
 * so that it fails by itself and leaves no trace. `nowMs` is in Unix milliseconds.
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

/** `undefined` where a further command threw: it has then been added to the faults. */
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

/** The books in the middle of a batch: what was loaded, and what the commands so far have changed. */
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

	constructor(loaded: LoadedBooks) {
		for (const account of loaded.accounts) this.#balances.set(keyOf(account), account);
		this.#taken = new Set(loaded.takenUsernames);
		for (const token of loaded.tokens) {
			this.#tokens.set(token.reseller, [...this.tokensOf(token.reseller), token]);
		}
		for (const topUp of loaded.topUps) this.#topUps.set(topUp.reference, topUp);
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
		};
	}

	#open(account: Account): void {
		if (account.balanceCents !== 0) throw new Error('an account opens with balance 0');
		if (this.#taken.has(account.username)) throw new Error('an account opens under a name that is free');
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
			throw new Error('a transfer does not lead from the balance before it to the one after it');
		}
		const key = keyOf(account);
		this.#balances.set(key, { reseller, username: side, balanceCents });
		this.#changedBalances.add(key);
	}
}

/** A slash is in no username. */
function keyOf({ reseller, username }: { reseller: string; username: string }): string {
	return `${reseller}/${username}`;
}
