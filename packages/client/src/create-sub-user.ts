import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import type { Account, Creation } from './accounts.ts';
import { of, readAccount } from './answers.ts';
import type { Call } from './call.ts';
import { lookAfterLoss, outcomeUnknown } from './change.ts';
import { type FeeRange, OutcomeUnknownError, UsernameTakenError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { feeOf, NOTHING } from './fees.ts';
import { find } from './read.ts';
import { errorOf, type Failure } from './reply.ts';
import type { Turns } from './turns.ts';

/** A create whose username is already normalized. */
export interface Create {
	readonly username: string;
	/** The most that it may pay, in USD cents. */
	readonly maxFeeCents: number;
	readonly isSoleWriter: boolean;
}

/**
 * Creates the sub-user, or finds that it exists: a look costs nothing, another create does. The client looks
 * first, and after every lost answer. It sends the create again only while the fees that may have been paid
 * leave room for another.
 */
export function createSubUser(call: Call, turns: Turns, create: Create): Promise<Creation> {
	return turns.take(create.username, call, true, async () => {
		const owned = await find(call, create.username);
		if (owned) return { subUser: owned, created: false, fee: NOTHING, confirmedBy: 'look', requestId: undefined };
		if (turns.isOpen(create.username)) throw stillOpen(create.username);
		return createMissing(call, turns, create);
	});
}

/** An earlier create of this name may still take effect: its absence proves nothing, and another may cost a fee. */
export function stillOpen(username: string): OutcomeUnknownError {
	const known = { operation: 'create', username, mayHappenLater: true } as const;
	const message = `the outcome of "create ${username}" is not known: an earlier create of it may still take effect`;
	return new OutcomeUnknownError(message, known, { code: 'outcome_unknown', fee: NOTHING });
}

async function createMissing(call: Call, turns: Turns, create: Create): Promise<Creation> {
	const { username, maxFeeCents, isSoleWriter } = create;
	let fee = NOTHING;
	let lost: Failure | undefined;
	let previous: Failure | undefined;
	/** Adds what may have been paid, also for a caller that aborted the call. */
	const withFee = (cause: unknown): never => {
		throw previous === undefined || fee.maxCents === 0 ? cause : errorOf(previous, { fee, cause });
	};
	for (let attempt = 1; ; attempt++) {
		const reply = await call.send(requestToCreate(username)).catch(withFee);
		fee = added(fee, feeOf(reply));
		if (reply.kind === 'answered') {
			const { data: subUser, requestId } = reply;
			return { subUser, created: true, fee, confirmedBy: 'answer', requestId };
		}

		const { failure } = reply;
		if (reply.kind === 'lost') lost = failure;
		const owned = await findOwned(call, turns, { username, failure, lost, fee });
		if (owned) {
			// A sole writer's own lost request created it, and that request paid its fee.
			const isOwnWork = lost && isSoleWriter && !turns.isOpen(username);
			const paid = isOwnWork ? { ...fee, minCents: fee.minCents + CREATE_FEE_CENTS } : fee;
			const created = lost !== undefined;
			return { subUser: owned, created, fee: paid, confirmedBy: 'look', requestId: undefined };
		}
		const isAffordable = fee.maxCents + CREATE_FEE_CENTS <= maxFeeCents;
		if (reply.kind === 'refused' || !isAffordable) throw errorOf(failure, { fee });
		const neededMs = reply.kind === 'lost' ? call.judgingMs() : 0;
		previous = failure;
		const mayGoOn = await call.pauseAfter(attempt, failure, neededMs).catch(withFee);
		if (!mayGoOn) throw errorOf(failure, { fee });
	}
}

export function requestToCreate(username: string): Exchange<Account> {
	return { operation: 'createSubUser', body: { username }, readData: of(username, readAccount) };
}

interface Attempted {
	readonly username: string;
	/** The failure of the last request. */
	readonly failure: Failure;
	/** The last lost answer of the call, if any was lost. */
	readonly lost: Failure | undefined;
	readonly fee: FeeRange;
}

/**
 * The sub-user, if it exists now; `undefined` if it does not and no lost request can create it any more.
 * Throws `OutcomeUnknownError` if an answer was lost and the look failed or cannot tell.
 */
async function findOwned(
	call: Call,
	turns: Turns,
	{ username, failure, lost, fee }: Attempted,
): Promise<Account | undefined> {
	if (failure === lost) {
		const owned = await lookAfterLoss(call, turns, {
			username,
			lost,
			look: () => find(call, username),
			isEnough: (seen) => seen !== undefined,
			unknown: (why, cause) => outcomeUnknown({ operation: 'create', username }, lost, why, { fee, cause }),
		});
		if (owned) turns.found(username);
		return owned;
	}
	if (failure.type !== UsernameTakenError) return undefined;
	// A lost request of this call may have taken the name, or another process of the reseller.
	return find(call, username).catch((cause) => {
		if (lost === undefined) throw errorOf(failure, { fee, cause });
		const known = { operation: 'create', username } as const;
		throw outcomeUnknown(known, lost, 'looking for it failed', { fee, cause });
	});
}

function added(one: FeeRange, other: FeeRange): FeeRange {
	return { minCents: one.minCents + other.minCents, maxCents: one.maxCents + other.maxCents };
}
