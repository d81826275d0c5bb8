import { MAX_CENTS } from '@bursar/contract/limits';
import type { Transfer } from './accounts.ts';
import { of, readBalance } from './answers.ts';
import type { Call } from './call.ts';
import { contradicted, lookAfterLoss, outcomeUnknown, sendChange } from './change.ts';
import { InvalidRequestError, type UnknownOutcome, UnknownSubUserError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { judgeTransfer } from './judge-transfer.ts';
import { find, viewSubUser } from './read.ts';
import type { Failure } from './reply.ts';
import type { Turns } from './turns.ts';

/** A transfer between the reseller and one of its sub-users. */
export interface Move {
	readonly operation: 'give' | 'take';
	readonly username: string;
	/** USD cents, an integer of at least 1. */
	readonly amountCents: number;
}

interface Balance {
	readonly username: string;
	readonly balanceCents: number;
}

/** Throws an `InvalidRequestError` for an amount that the service would refuse. */
export function checkAmount({ amountCents }: Move): void {
	if (Number.isSafeInteger(amountCents) && amountCents >= 1) return;
	const message = `an amount is an integer from 1 to ${MAX_CENTS}, in USD cents`;
	throw new InvalidRequestError(message, { code: 'invalid_amount' });
}

/**
 * Moves balance once. If the answer is lost, the sub-user's balance tells whether the move took effect, but only if no
 * other client moves it. The reseller's own balance cannot tell: transfers of other sub-users change it.
 */
export async function moveBalance(call: Call, turns: Turns, move: Move, isSoleWriter: boolean): Promise<Transfer> {
	const { username } = move;
	return turns.take(username, call, isSoleWriter, async () => {
		if (!isSoleWriter || turns.isOpen(username)) {
			return sendChange(call, requestToMove(move), (lost) => refuseToJudge(call, turns, move, lost));
		}
		const before = (await viewSubUser(call, username)).balanceCents;
		const asked = { ...move, balanceBeforeCents: before };
		const transfer = await sendChange(call, requestToMove(move), (lost) => judge(call, turns, asked, lost));
		const { balanceCents: balanceAfterCents } = transfer;
		if (judgeTransfer(asked, balanceAfterCents) === 'done') return transfer;
		throw contradicted(
			{ ...asked, balanceAfterCents },
			'the balance in the answer is not what it should be, so somebody else moves it too',
		);
	});
}

export function requestToMove({ operation, username, amountCents }: Move): Exchange<Balance> {
	return {
		operation: operation === 'give' ? 'giveBalance' : 'takeBalance',
		body: { username, amount_usd_cents: amountCents },
		readData: of(username, readBalance),
	};
}

/** For the sole writer, the balance tells whether the move took effect. */
async function judge(
	call: Call,
	turns: Turns,
	asked: Move & { readonly balanceBeforeCents: number },
	lost: Failure,
): Promise<Balance | undefined> {
	const { username } = asked;
	let now: number | undefined;
	const unknown = (why: string, cause?: unknown, more: Partial<UnknownOutcome> = {}) =>
		outcomeUnknown({ ...asked, balanceAfterCents: now, ...more }, lost, why, { cause });

	const seen = await lookAfterLoss(call, turns, {
		username,
		lost,
		async look() {
			now = (await viewSubUser(call, username)).balanceCents;
			return now;
		},
		isEnough: (balance) => balance !== asked.balanceBeforeCents,
		unknown,
	});
	const verdict = judgeTransfer(asked, seen);
	if (verdict === 'not_done') return undefined;
	if (verdict === 'unclear') {
		throw unknown('the balance is neither what it was nor what it should be', undefined, { isDisturbed: true });
	}
	turns.found(username);
	return { username, balanceCents: seen };
}

/**
 * If others write too, no balance can tell the outcome. But if the sub-user still does not exist when the request
 * can no longer arrive, nothing was moved.
 */
async function refuseToJudge(call: Call, turns: Turns, move: Move, lost: Failure): Promise<never> {
	let balanceAfterCents: number | undefined;
	const unknown = (why: string, cause?: unknown) =>
		outcomeUnknown({ ...move, balanceAfterCents }, lost, why, { cause });
	await lookAfterLoss(call, turns, {
		username: move.username,
		lost,
		async look() {
			balanceAfterCents = (await find(call, move.username))?.balanceCents;
		},
		isEnough: () => balanceAfterCents !== undefined,
		unknown,
	});
	if (balanceAfterCents === undefined) throw new UnknownSubUserError('no sub-user of this reseller has that username');
	throw unknown('others may change the balance too');
}
