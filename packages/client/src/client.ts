import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import { normalizeUsername, USERNAME_RULE } from '@bursar/contract/username';
import type { Account, Creation, DailyUsage, RecordedChange, ReplacedAuthKey, Transfer } from './accounts.ts';
import { readAccount, readAccounts, readUsage } from './answers.ts';
import { newChangeId } from './by-id/change-ids.ts';
import { createWithId, moveWithId, resetWithId } from './by-id/changes.ts';
import { viewChange } from './by-id/view-change.ts';
import { beginCall, type Call } from './call.ts';
import { createSubUser } from './create-sub-user.ts';
import { InvalidRequestError, type UnknownOutcome } from './errors.ts';
import { checkAmount, type Move, moveBalance } from './move-balance.ts';
import type {
	BursarClientOptions,
	CallOptions,
	ChangeOptions,
	CreateOptions,
	Settings,
	StatementOptions,
	SubUserListOptions,
} from './options.ts';
import { knowsChangeIds, read, viewSubUser } from './read.ts';
import { checkCallOptions, checkChangeId, readListOptions, readOptions } from './read-options.ts';
import { resetAuthKey } from './reset-auth-key.ts';
import { awaitSettled, settle } from './settle.ts';
import { deleteSubUser, setLimits, setNote, setState, viewDetails } from './terms/changes.ts';
import { itemsOf } from './terms/lists.ts';
import { readStatementPage, readSubUserPage } from './terms/read-terms.ts';
import { sentLimits } from './terms/sent-limits.ts';
import type {
	Deletion,
	ListedSubUser,
	Movement,
	SetLimits,
	SetNote,
	SetState,
	SubUserDetails,
	SubUserLimits,
} from './terms/sub-user-terms.ts';
import { Turns } from './turns.ts';

/**
 * The reseller API: all its endpoints, with retries that never make a change twice. If the service knows change ids, the
 * client learns the outcome even after a lost answer. The descriptions of the methods say what it does without them.
 *
 * The class of an error tells the kind of failure. Besides the errors that its description names, each method
 * can reject with `UnauthorizedError`, `UnavailableError`, `InternalServerError`, `UnexpectedAnswerError` or
 * `ConnectionError`. After an `OutcomeUnknownError`, the change may have taken effect. After any other error it
 * did not, except that a create may have paid its fee.
 */
export class BursarClient {
	readonly #settings: Settings;
	readonly #turns: Turns;

	/** Throws a `TypeError` if an option is missing, wrong or unknown, or if it runs in a browser page. */
	constructor(options: BursarClientOptions = {}) {
		this.#settings = readOptions(options);
		this.#turns = new Turns(this.#settings);
	}

	/** The reseller's own account. */
	async myInfo(options: CallOptions = {}): Promise<Account> {
		return read(this.#begin(options), { operation: 'myInfo', readData: readAccount });
	}

	/**
	 * Creates a sub-user with balance 0. The client checks the username before anything is paid: letters,
	 * digits, periods and underscores (docs/api.md 6.1); uppercase becomes lowercase.
	 *
	 * Each request costs 10 cents, even if it fails. So the client looks for the sub-user first. If the reseller
	 * owns it already, the call returns it with `created: false`, for free. With change ids, no call pays more than one
	 * fee. Without them, the client looks after a lost answer, and sends the create again only while `maxFeeCents`
	 * leaves room; the default, 10, leaves none.
	 *
	 * Throws `InvalidRequestError`, `UsernameTakenError`, `InsufficientBalanceError`, `OutcomeUnknownError`.
	 * The error's `fee` says what may have been paid.
	 */
	async createSubUser(username: string, options: CreateOptions = {}): Promise<Creation> {
		const normalized = normalizeUsername(textOf(username));
		if (normalized === undefined) {
			throw new InvalidRequestError(
				`this is not a valid username (${USERNAME_RULE}): nothing was sent, and nothing paid`,
				{
					code: 'invalid_username',
				},
			);
		}
		const { maxFeeCents = CREATE_FEE_CENTS } = options;
		if (!Number.isSafeInteger(maxFeeCents) || maxFeeCents < CREATE_FEE_CENTS) {
			throw new TypeError(`maxFeeCents must be an integer of at least ${CREATE_FEE_CENTS}: one request costs that`);
		}
		const call = this.#begin(options);
		if (await knowsChangeIds(call)) return createWithId(call, this.#turns, normalized);
		const create = { username: normalized, maxFeeCents, isSoleWriter: this.#isSoleWriter(options) };
		return createSubUser(call, this.#turns, create);
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
	 * The bandwidth of a sub-user for each UTC day with usage, from 89 days ago until today, the earliest
	 * first. Throws `UnknownSubUserError`.
	 */
	async viewUsage(username: string, options: CallOptions = {}): Promise<DailyUsage[]> {
		return read(this.#begin(options), {
			operation: 'viewUsage',
			body: { username: textOf(username) },
			readData: readUsage,
		});
	}

	/**
	 * Replaces the proxy auth key of a sub-user; the previous key is retired. After a lost answer, the call returns the
	 * key that is valid now. Without change ids, the client compares the key before and after.
	 *
	 * Throws `UnknownSubUserError`, `OutcomeUnknownError`.
	 */
	async resetAuthKey(username: string, options: ChangeOptions = {}): Promise<ReplacedAuthKey> {
		const name = nameOf(username);
		const call = this.#begin(options);
		if (await knowsChangeIds(call)) return resetWithId(call, this.#turns, name);
		return resetAuthKey(call, this.#turns, name, this.#isSoleWriter(options));
	}

	/**
	 * Moves balance from the reseller to a sub-user: an integer of at least 1, in USD cents.
	 *
	 * Without change ids, `soleWriter` lets the client judge a lost answer by the sub-user's balance before and after,
	 * and send the request again if it took no effect. Otherwise a lost answer ends in an `OutcomeUnknownError`.
	 *
	 * Throws `InvalidRequestError`, `UnknownSubUserError`, `InsufficientBalanceError`, `OutcomeUnknownError`.
	 */
	async giveBalance(username: string, amountCents: number, options: ChangeOptions = {}): Promise<Transfer> {
		return this.#move({ operation: 'give', username: nameOf(username), amountCents }, options);
	}

	/** Moves balance from a sub-user back to the reseller. Otherwise like `giveBalance`. */
	async takeBalance(username: string, amountCents: number, options: ChangeOptions = {}): Promise<Transfer> {
		return this.#move({ operation: 'take', username: nameOf(username), amountCents }, options);
	}

	/**
	 * Suspends a sub-user: its pair is refused, its open connections end within seconds, and its balance stays. Suspending
	 * a suspended sub-user does no harm. So a lost answer is repeated, also if the service does not know change ids.
	 *
	 * Throws `UnknownSubUserError`, `SuspendedError`, `OutcomeUnknownError`, like all changes below.
	 */
	async suspendSubUser(username: string, options: ChangeOptions = {}): Promise<SetState> {
		return setState(this.#begin(options), this.#turns, 'suspend', nameOf(username));
	}

	/** Ends a suspension. The state is then `active`, or `expired`. Otherwise like `suspendSubUser`. */
	async resumeSubUser(username: string, options: ChangeOptions = {}): Promise<SetState> {
		return setState(this.#begin(options), this.#turns, 'resume', nameOf(username));
	}

	/**
	 * Sets the limits that are given, removes those that are `null`, and leaves the others. The result has all of them.
	 * Otherwise like `suspendSubUser`. Throws `InvalidRequestError` too.
	 */
	async setLimits(username: string, limits: Partial<SubUserLimits>, options: ChangeOptions = {}): Promise<SetLimits> {
		const sent = sentLimits(limits);
		return setLimits(this.#begin(options), this.#turns, nameOf(username), sent);
	}

	/**
	 * Sets the note of a sub-user, for people: one line of at most 200 characters; an empty one removes it. Otherwise like
	 * `suspendSubUser`. Throws `InvalidRequestError` too.
	 */
	async setNote(username: string, note: string, options: ChangeOptions = {}): Promise<SetNote> {
		if (typeof note !== 'string') throw new TypeError('note must be a string');
		return setNote(this.#begin(options), this.#turns, nameOf(username), note);
	}

	/**
	 * Deletes a sub-user for ever: what it used is settled, the rest of its balance comes back to you, and its name is never
	 * given again. A lost answer is settled by the id of the change; without ids, it ends in an `OutcomeUnknownError`.
	 */
	async deleteSubUser(username: string, options: ChangeOptions = {}): Promise<Deletion> {
		return deleteSubUser(this.#begin(options), this.#turns, nameOf(username));
	}

	/** State, limits, what of them is used, and the note of a sub-user. Throws `UnknownSubUserError`. */
	async viewDetails(username: string, options: CallOptions = {}): Promise<SubUserDetails> {
		return viewDetails(this.#begin(options), textOf(username));
	}

	/**
	 * The sub-users in the order of their names, page by page, for `for await`. It needs little memory, and can be left at
	 * any time. Each page is a call of its own, with the time of one.
	 */
	listSubUsers(options: SubUserListOptions = {}): AsyncGenerator<ListedSubUser> {
		const { body, callOptions } = readListOptions(options, { prefix: true, state: true });
		const beginCall = () => this.#begin(callOptions);
		return itemsOf({ operation: 'viewSubUserPage', body, readData: readSubUserPage, beginCall });
	}

	/**
	 * The movements of money of the reseller and its sub-users, the newest first, page by page like `listSubUsers`. What was
	 * used since it was last settled is not in a movement yet.
	 */
	listMovements(options: StatementOptions = {}): AsyncGenerator<Movement> {
		const { body, callOptions } = readListOptions(options, { from: true, to: true });
		const beginCall = () => this.#begin(callOptions);
		return itemsOf({ operation: 'viewStatementPage', body, readData: readStatementPage, beginCall });
	}

	/**
	 * What the change with this id did; `undefined` if there is none now. The service remembers changes for 48 hours. A
	 * change that was just sent may still arrive; `awaitSettled` waits until it no longer can. A service that does not
	 * know change ids refuses this with an `UnexpectedAnswerError`.
	 */
	async viewChange(changeId: string, options: CallOptions = {}): Promise<RecordedChange | undefined> {
		checkChangeId(changeId);
		return viewChange(this.#begin(options), changeId);
	}

	/**
	 * An id for a change, to be journalled before the change is sent with it. `undefined` if the service does not know
	 * change ids. Then a lost answer is judged in other ways.
	 */
	async newChangeId(options: CallOptions = {}): Promise<string | undefined> {
		return (await knowsChangeIds(this.#begin(options))) ? newChangeId() : undefined;
	}

	/**
	 * Finds out later whether a change that ended in an `OutcomeUnknownError` took effect. It needs the error's `known`,
	 * which you can store and use in another process. It sends no change. If `known` has a `changeId`, it is right for 47
	 * hours. Without one, it is right only if neither you nor others have changed the sub-user since.
	 *
	 * Throws `OutcomeUnknownError` again if it cannot tell, `UnknownSubUserError`.
	 */
	async settle(known: UnknownOutcome, options: CallOptions = {}): Promise<'done' | 'not_done'> {
		return settle(this.#begin(options), this.#turns, { ...known, username: nameOf(known.username) });
	}

	/**
	 * Waits until no change that any process of yours sent before this call can take effect any more. This takes
	 * about 15 s, or `settleMs` if the service does not honour expiry. It is for programs that keep their own journal,
	 * after a crash. `timeoutMs` must be at least that of the earlier process. Throws if the call has too little time.
	 */
	async awaitSettled(options: CallOptions = {}): Promise<void> {
		return awaitSettled(this.#begin(options), new Turns(this.#settings));
	}

	async #move(move: Move, options: ChangeOptions): Promise<Transfer> {
		const call = this.#begin(options);
		checkAmount(move);
		if (await knowsChangeIds(call)) return moveWithId(call, this.#turns, move);
		return moveBalance(call, this.#turns, move, this.#isSoleWriter(options));
	}

	#begin(options: ChangeOptions): Call {
		checkCallOptions(options);
		return beginCall(this.#settings, options);
	}

	#isSoleWriter({ soleWriter = this.#settings.soleWriter }: ChangeOptions): boolean {
		return soleWriter;
	}
}

/** Two spellings of one username become the same text. An invalid username stays as it is: the service refuses it. */
function nameOf(username: string): string {
	return normalizeUsername(textOf(username)) ?? username;
}

/** For callers without types: without this check, a missing username would fail deep inside. */
function textOf(username: unknown): string {
	if (typeof username !== 'string') throw new TypeError('username must be a string');
	return username;
}
