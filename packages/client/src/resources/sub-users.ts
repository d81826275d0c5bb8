import { normalizeUsername, USERNAME_RULE } from '@bursar/contract/username';
import type { Account, Creation, DailyUsage, ReplacedAuthKey, Transfer } from '../accounts.ts';
import { of, readAccount, readAuthKey, readBalance, readUsage } from '../answers.ts';
import { InvalidRequestError, UsernameTakenError } from '../errors.ts';
import type { CallOptions, ChangeOptions, SubUserListOptions, TransferOptions } from '../options.ts';
import type { BeginCall, Call } from '../protocol/call.ts';
import { NOTHING, ONE_FEE } from '../protocol/fees.ts';
import { lookForChange } from '../protocol/find-change.ts';
import { findSubUser, read, retrieveSubUser } from '../protocol/read.ts';
import { sendChange } from '../protocol/send-change.ts';
import { readListOptions, readTransferOptions } from '../read-options.ts';
import {
	readAccountWithTerms,
	readDeletion,
	readDetails,
	readState,
	readSubUserPage,
	readWithLimits,
	readWithNote,
} from '../read-terms.ts';
import type {
	CreationWith,
	Deletion,
	ListedSubUser,
	NewTerms,
	SetLimits,
	SetNote,
	SetState,
	SubUserDetails,
	SubUserLimits,
} from '../sub-user-terms.ts';
import { List } from './list.ts';
import { checkAmount } from './sent-amount.ts';
import { sentLimits, sentNewLimits } from './sent-limits.ts';

/**
 * The sub-users of the reseller: `bursar.subUsers`.
 *
 * Besides the errors that its description names, each change can reject with `SuspendedError`, if the operator has
 * suspended the reseller, and with `OutcomeUnknownError`.
 */
export class SubUsersResource {
	readonly #begin: BeginCall;

	constructor(begin: BeginCall) {
		this.#begin = begin;
	}

	/**
	 * Creates a sub-user with balance 0. The client checks the username before anything is paid: letters, digits, periods
	 * and underscores (docs/api.md 6.1); uppercase becomes lowercase.
	 *
	 * Each request costs 10 cents, even if it fails. So the client looks for the sub-user first. If the reseller owns it
	 * already, the call returns it with `created: false`, for free. No call pays more than one fee.
	 *
	 * Throws `InvalidRequestError`, `UsernameTakenError`, `InsufficientBalanceError`. The error's `fee` says what may have
	 * been paid.
	 */
	async create(username: string, options: ChangeOptions = {}): Promise<Creation> {
		const normalized = newNameOf(username);
		const call = this.#begin(options);
		const owned = await findSubUser(call, normalized);
		// An earlier call with the caller's id may have created it.
		const isOwnWork = owned !== undefined && options.changeId !== undefined && (await lookForChange(call));
		if (owned && !isOwnWork) return existing(owned, false);
		return createMissing(call, normalized);
	}

	/**
	 * Creates a sub-user that has balance, limits and a note from the beginning, all or nothing, for 10 cents. A name that is taken
	 * costs them too. So if no `changeId` is given, the client looks first whether the reseller owns the sub-user already. The
	 * `reference` is that of the gift.
	 *
	 * Throws `InvalidRequestError`, `UsernameTakenError`, `InsufficientBalanceError`. The error's `fee` says what may have
	 * been paid.
	 */
	async createWith(username: string, terms: NewTerms, transferOptions: TransferOptions = {}): Promise<CreationWith> {
		const name = newNameOf(username);
		const { reference, options } = readTransferOptions(transferOptions);
		const { amountCents, limits = {}, note, ...others } = terms;
		const [unknown] = Object.keys(others);
		if (unknown !== undefined) throw new TypeError(`${unknown} is nothing that a new sub-user can have`);
		if (amountCents !== undefined) checkAmount(amountCents);
		if (note !== undefined && typeof note !== 'string') throw new TypeError('note must be a string');
		const body = { username: name, amount_usd_cents: amountCents, limits: sentNewLimits(limits), note };
		const call = this.#begin(options);
		if (options.changeId === undefined && (await findSubUser(call, name))) {
			const message = `you own ${name} already: nothing was sent, and nothing paid`;
			throw new UsernameTakenError(message, { code: 'username_taken', fee: NOTHING });
		}
		const { username: _, ...created } = await sendChange(call, {
			asked: { operation: 'create_with', username: name, amountCents: amountCents ?? 0 },
			request: { operation: 'createSubUserWith', body, reference, readData: of(name, readAccountWithTerms) },
			async answerOf(_, call) {
				const subUser = await retrieveSubUser(call, name, true);
				const { limits, note } = await retrieveDetails(call, name, true);
				return { username: name, subUser, limits, note };
			},
		});
		return { ...created, fee: ONE_FEE };
	}

	/** Username, balance and proxy auth key of a sub-user. Throws `UnknownSubUserError`. */
	async retrieve(username: string, options: CallOptions = {}): Promise<Account> {
		return retrieveSubUser(this.#begin(options), textOf(username));
	}

	/**
	 * State, limits, what of them is used, and the note of a sub-user, and whether the proxies accept its pair. Throws
	 * `UnknownSubUserError`.
	 */
	async retrieveDetails(username: string, options: CallOptions = {}): Promise<SubUserDetails> {
		return retrieveDetails(this.#begin(options), textOf(username));
	}

	/**
	 * The bandwidth of a sub-user for each UTC day with usage, from 89 days ago until today, the earliest first. Throws
	 * `UnknownSubUserError`.
	 */
	async retrieveUsage(username: string, options: CallOptions = {}): Promise<DailyUsage[]> {
		const body = { username: textOf(username) };
		return read(this.#begin(options), { operation: 'viewUsage', body, readData: readUsage });
	}

	/**
	 * The sub-users in the order of their names. Sub-users that are created or deleted meanwhile may be in the list or not;
	 * all others are in it once.
	 */
	list(options: SubUserListOptions = {}): List<ListedSubUser> {
		const { after, body, callOptions } = readListOptions(options, {
			prefix: true,
			state: true,
			isUsable: true,
			reason: true,
		});
		return new List(after, (after) =>
			read(this.#begin(callOptions), {
				operation: 'viewSubUserPage',
				body: { ...body, after },
				readData: readSubUserPage,
			}),
		);
	}

	/**
	 * Moves balance from the reseller to a sub-user: an integer of at least 1, in USD cents.
	 *
	 * Throws `InvalidRequestError`, `UnknownSubUserError`, `InsufficientBalanceError`.
	 */
	async give(username: string, amountCents: number, options: TransferOptions = {}): Promise<Transfer> {
		return this.#move('give', username, amountCents, options);
	}

	/** Moves balance from a sub-user back to the reseller. Otherwise like `give`. */
	async take(username: string, amountCents: number, options: TransferOptions = {}): Promise<Transfer> {
		return this.#move('take', username, amountCents, options);
	}

	/**
	 * Replaces the proxy auth key of a sub-user; the previous key is retired. After a lost answer, the result has the key
	 * that is valid now. Throws `UnknownSubUserError`.
	 */
	async resetAuthKey(username: string, options: ChangeOptions = {}): Promise<ReplacedAuthKey> {
		const name = nameOf(username);
		return sendChange(this.#begin(options), {
			asked: { operation: 'reset_auth_key', username: name },
			request: { operation: 'resetAuthKey', body: { username: name }, readData: of(name, readAuthKey) },
			async answerOf(_, call) {
				const { proxyAuthkey } = await retrieveSubUser(call, name, true);
				return { username: name, proxyAuthkey };
			},
		});
	}

	/**
	 * Suspends a sub-user: its pair is refused, its open connections end within seconds, and its balance stays. Throws
	 * `UnknownSubUserError`.
	 */
	async suspend(username: string, options: ChangeOptions = {}): Promise<SetState> {
		return this.#setState('suspend', username, options);
	}

	/** Ends a suspension. The state is then `active`, or `expired`. Throws `UnknownSubUserError`. */
	async resume(username: string, options: ChangeOptions = {}): Promise<SetState> {
		return this.#setState('resume', username, options);
	}

	/**
	 * Sets the limits that are given, removes those that are `null`, and leaves the others. The result has all of them.
	 * Throws `InvalidRequestError`, `UnknownSubUserError`.
	 */
	async setLimits(username: string, limits: Partial<SubUserLimits>, options: ChangeOptions = {}): Promise<SetLimits> {
		const name = nameOf(username);
		const body = { username: name, ...sentLimits(limits) };
		return sendChange(this.#begin(options), {
			asked: { operation: 'set_limits', username: name },
			request: { operation: 'setLimits', body, readData: of(name, readWithLimits) },
			async answerOf(_, call) {
				const { limits } = await retrieveDetails(call, name, true);
				return { username: name, limits };
			},
		});
	}

	/**
	 * Sets the note of a sub-user, for people: one line of at most 200 characters; an empty one removes it. Throws
	 * `InvalidRequestError`, `UnknownSubUserError`.
	 */
	async setNote(username: string, note: string, options: ChangeOptions = {}): Promise<SetNote> {
		if (typeof note !== 'string') throw new TypeError('note must be a string');
		const name = nameOf(username);
		return sendChange(this.#begin(options), {
			asked: { operation: 'set_note', username: name },
			request: { operation: 'setNote', body: { username: name, note }, readData: of(name, readWithNote) },
			async answerOf(_, call) {
				const { note } = await retrieveDetails(call, name, true);
				return { username: name, note };
			},
		});
	}

	/**
	 * Deletes a sub-user for ever: what it used is settled, the rest of its balance comes back to the reseller, and its name is
	 * never given again. Throws `UnknownSubUserError`.
	 */
	async delete(username: string, options: ChangeOptions = {}): Promise<Deletion> {
		const name = nameOf(username);
		return sendChange(this.#begin(options), {
			asked: { operation: 'delete', username: name },
			request: { operation: 'deleteSubUser', body: { username: name }, readData: of(name, readDeletion) },
			answerOf: ({ amountCents = 0 }) => ({ username: name, returnedCents: amountCents }),
		});
	}

	async #move(
		operation: 'give' | 'take',
		username: string,
		amountCents: number,
		transferOptions: TransferOptions,
	): Promise<Transfer> {
		const name = nameOf(username);
		const { reference, options } = readTransferOptions(transferOptions);
		checkAmount(amountCents);
		return sendChange(this.#begin(options), {
			asked: { operation, username: name, amountCents },
			request: {
				operation: operation === 'give' ? 'giveBalance' : 'takeBalance',
				body: { username: name, amount_usd_cents: amountCents },
				reference,
				readData: of(name, readBalance),
			},
			answerOf: ({ balanceCents }) => ({ username: name, balanceCents: balanceCents ?? 0 }),
		});
	}

	async #setState(operation: 'suspend' | 'resume', username: string, options: ChangeOptions): Promise<SetState> {
		const name = nameOf(username);
		return sendChange(this.#begin(options), {
			asked: { operation, username: name },
			request: {
				operation: operation === 'suspend' ? 'suspendSubUser' : 'resumeSubUser',
				body: { username: name },
				readData: of(name, readState),
			},
			async answerOf(_, call) {
				const { state } = await retrieveDetails(call, name, true);
				return { username: name, state };
			},
		});
	}
}

async function createMissing(call: Call, username: string): Promise<Creation> {
	try {
		const { confirmedBy, requestId, ...subUser } = await sendChange<Account>(call, {
			asked: { operation: 'create', username },
			request: { operation: 'createSubUser', body: { username }, readData: of(username, readAccount) },
			answerOf: (_, call) => retrieveSubUser(call, username, true),
		});
		return { subUser, created: true, fee: ONE_FEE, confirmedBy, requestId };
	} catch (error) {
		if (!(error instanceof UsernameTakenError)) throw error;
		// Another process of the reseller may have taken the name since the look.
		const owned = await findSubUser(call, username).catch((cause) => {
			throw new UsernameTakenError(error.message, { ...error, cause });
		});
		if (owned === undefined) throw error;
		return existing(owned, true);
	}
}

function existing(subUser: Account, isFeePaid: boolean): Creation {
	return { subUser, created: false, fee: isFeePaid ? ONE_FEE : NOTHING, confirmedBy: 'look', requestId: undefined };
}

function retrieveDetails(call: Call, username: string, isPatient = false): Promise<SubUserDetails> {
	const readData = of(username, readDetails);
	return read(call, { operation: 'viewDetails', body: { username }, readData }, isPatient);
}

/** The name for a new sub-user, checked before anything is paid. */
function newNameOf(username: string): string {
	const name = normalizeUsername(textOf(username));
	if (name !== undefined) return name;
	const message = `this is not a valid username (${USERNAME_RULE}): nothing was sent, and nothing paid`;
	throw new InvalidRequestError(message, { code: 'invalid_username' });
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
