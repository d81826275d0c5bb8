import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import { normalizeUsername } from '@bursar/contract/username';
import type { Account, Creation, DailyUsage, ReplacedAuthKey, Transfer } from './accounts.ts';
import { readAccount, readAccounts, readUsage } from './answers.ts';
import { beginCall, type Call } from './call.ts';
import { createSubUser } from './create-sub-user.ts';
import { InvalidRequestError, type UnknownOutcome } from './errors.ts';
import { type Move, moveBalance } from './move-balance.ts';
import type { BursarClientOptions, CallOptions, ChangeOptions, CreateOptions, Settings } from './options.ts';
import { read, viewSubUser } from './read.ts';
import { checkCallOptions, readOptions } from './read-options.ts';
import { resetAuthKey } from './reset-auth-key.ts';
import { awaitSettled, settle } from './settle.ts';
import { Turns } from './turns.ts';

/**
 * The reseller API: all eight endpoints, with retries that never do a change twice.
 *
 * Every call rejects with an error of the class that tells the kind of failure. Besides those that a
 * method names, any can reject with `UnauthorizedError`, `UnavailableError`, `InternalServerError`,
 * `UnexpectedAnswerError` or `ConnectionError`. Only after an `OutcomeUnknownError` is it open whether a
 * change took effect; after all others it did not, the fee of a create aside.
 */
export class BursarClient {
	readonly #settings: Settings;
	readonly #turns: Turns;

	/** Throws a `TypeError` if an option is missing, wrong or unknown, and in a browser page. */
	constructor(options: BursarClientOptions = {}) {
		this.#settings = readOptions(options);
		this.#turns = new Turns(this.#settings);
	}

	/** The reseller's own account. */
	async myInfo(options: CallOptions = {}): Promise<Account> {
		return read(this.#begin(options), { operation: 'myInfo', readData: readAccount });
	}

	/**
	 * Creates a sub-user with balance 0. The username is checked here, before anything is paid: letters,
	 * digits, periods and underscores, as docs/api.md 6.1 has it; uppercase becomes lowercase.
	 *
	 * Each request costs 10 cents, also when it fails. So the sub-user is looked for first: one that the
	 * reseller owns already is returned, with `created: false`, and costs nothing. A lost answer is looked
	 * for too; it is sent again only while `maxFeeCents` (default 10: not at all) leaves room for it.
	 *
	 * Throws `InvalidRequestError`, `UsernameTakenError`, `InsufficientBalanceError`, `OutcomeUnknownError`;
	 * the error's `fee` says what may have been paid.
	 */
	async createSubUser(username: string, options: CreateOptions = {}): Promise<Creation> {
		const normalized = normalizeUsername(textOf(username));
		if (normalized === undefined) {
			throw new InvalidRequestError('that is no username: nothing was sent, and nothing paid', {
				code: 'invalid_username',
			});
		}
		const { maxFeeCents = CREATE_FEE_CENTS } = options;
		if (!Number.isSafeInteger(maxFeeCents) || maxFeeCents < CREATE_FEE_CENTS) {
			throw new TypeError(`maxFeeCents must be an integer of at least ${CREATE_FEE_CENTS}: one request costs that`);
		}
		const create = { username: normalized, maxFeeCents, isSoleWriter: this.#isSoleWriter(options) };
		return createSubUser(this.#begin(options), this.#turns, create);
	}

	/** All sub-users of the reseller, in no particular order. */
	async viewAllSubUsers(options: CallOptions = {}): Promise<Account[]> {
		const { totalTimeoutMs = this.#settings.totalTimeoutMs } = options;
		const { timeoutMs = this.#settings.listTimeoutMs ?? totalTimeoutMs } = options;
		const call = this.#begin({ ...options, totalTimeoutMs, timeoutMs });
		return read(call, { operation: 'viewAllSubUsers', readData: readAccounts });
	}

	/** One sub-user. Throws `UnknownSubUserError`. */
	async viewSubUser(username: string, options: CallOptions = {}): Promise<Account> {
		return viewSubUser(this.#begin(options), textOf(username));
	}

	/**
	 * The bandwidth of a sub-user for each UTC day with usage, of today and the 89 days before it, the
	 * earliest first. Throws `UnknownSubUserError`.
	 */
	async viewUsage(username: string, options: CallOptions = {}): Promise<DailyUsage[]> {
		return read(this.#begin(options), {
			operation: 'viewUsage',
			body: { username: textOf(username) },
			readData: readUsage,
		});
	}

	/**
	 * Replaces the proxy auth key of a sub-user; the previous key is retired. A lost answer is judged by
	 * the key before and after: where it changed, the key that is valid now is returned.
	 *
	 * Throws `UnknownSubUserError`, `OutcomeUnknownError`.
	 */
	async resetAuthKey(username: string, options: ChangeOptions = {}): Promise<ReplacedAuthKey> {
		const call = this.#begin(options);
		return resetAuthKey(call, this.#turns, nameOf(username), this.#isSoleWriter(options));
	}

	/**
	 * Moves balance from the reseller to a sub-user: an integer of at least 1, in USD cents.
	 *
	 * With `soleWriter`, a lost answer is judged by the sub-user's balance before and after, and the
	 * request is sent again where it took no effect. Without, it ends in an `OutcomeUnknownError`.
	 *
	 * Throws `InvalidRequestError`, `UnknownSubUserError`, `InsufficientBalanceError`, `OutcomeUnknownError`.
	 */
	async giveBalance(username: string, amountCents: number, options: ChangeOptions = {}): Promise<Transfer> {
		return this.#move({ operation: 'give', username: nameOf(username), amountCents }, options);
	}

	/** Moves balance from a sub-user back to the reseller. All else is as for `giveBalance`. */
	async takeBalance(username: string, amountCents: number, options: ChangeOptions = {}): Promise<Transfer> {
		return this.#move({ operation: 'take', username: nameOf(username), amountCents }, options);
	}

	/**
	 * Finds out later what became of a change that ended in an `OutcomeUnknownError`, from its `known`: in this
	 * process or, if you stored it, in another. It sends no change. Nobody may have changed the sub-user since, you
	 * included.
	 *
	 * Throws `OutcomeUnknownError` again if nothing can be told, `UnknownSubUserError`.
	 */
	async settle(known: UnknownOutcome, options: CallOptions = {}): Promise<'done' | 'not_done'> {
		return settle(this.#begin(options), this.#turns, { ...known, username: nameOf(known.username) });
	}

	/**
	 * Waits until no change that was sent before this call can take effect any more, by whatever process of yours:
	 * about 15 s, or `settleMs` if the service does not honour expiry. For programs that keep a journal of their own,
	 * after a crash. `timeoutMs` must be at least what the earlier process had. Throws if the call has not that long.
	 */
	async awaitSettled(options: CallOptions = {}): Promise<void> {
		return awaitSettled(this.#begin(options), new Turns(this.#settings));
	}

	#move(move: Move, options: ChangeOptions): Promise<Transfer> {
		return moveBalance(this.#begin(options), this.#turns, move, this.#isSoleWriter(options));
	}

	#begin(options: CallOptions): Call {
		checkCallOptions(options);
		return beginCall(this.#settings, options);
	}

	#isSoleWriter({ soleWriter = this.#settings.soleWriter }: ChangeOptions): boolean {
		return soleWriter;
	}
}

/** In the form in which two spellings of one name are the same. What is no name is the service's to refuse. */
function nameOf(username: string): string {
	return normalizeUsername(textOf(username)) ?? username;
}

/** For callers without types: what is missing would otherwise fail somewhere inside. */
function textOf(username: unknown): string {
	if (typeof username !== 'string') throw new TypeError('username must be a string');
	return username;
}
