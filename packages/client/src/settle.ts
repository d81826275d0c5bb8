import { CHANGE_KEPT_MS, isChangeId } from '@bursar/contract/change-id';
import { isOperation } from './answers.ts';
import { findAfterLoss } from './by-id/send-with-id.ts';
import type { Call } from './call.ts';
import { lookAfterLoss, outcomeUnknown } from './change.ts';
import { ConnectionError, type UnknownOutcome } from './errors.ts';
import { judgeTransfer, type TransferVerdict } from './judge-transfer.ts';
import { askTime, find, knowsChangeIds, viewSubUser } from './read.ts';
import type { Failure } from './reply.ts';
import { sha256 } from './sha256.ts';
import type { Turns } from './turns.ts';

/**
 * Finds out whether a change took effect that ended as unknown in an earlier call, of this process or another. Its id
 * tells, if the service knows ids.
 */
export async function settle(call: Call, turns: Turns, known: UnknownOutcome): Promise<'done' | 'not_done'> {
	checkKnown(known);
	const { changeId } = known;
	if (changeId === undefined || !(await knowsChangeIds(call))) return settleByEvidence(call, turns, known);
	return settleById(call, turns, { ...known, changeId });
}

async function settleById(
	call: Call,
	turns: Turns,
	known: UnknownOutcome & { readonly changeId: string },
): Promise<'done' | 'not_done'> {
	const lost = lostEarlier(call, known);
	const unknown = (why: string, cause?: unknown) => outcomeUnknown(known, lost, why, { cause });
	const recorded = await findAfterLoss(call, turns, known, lost, unknown);
	if (recorded) return recorded.error === undefined ? 'done' : 'not_done';
	const { expires } = known;
	const isRecent = expires !== undefined && call.clock.shownAtMs(expires + REMEMBERED_SECONDS) === undefined;
	if (!isRecent) throw unknown('the service may have forgotten it');
	return 'not_done';
}

/** An hour less than the service remembers a change, because a change can arrive late. */
const REMEMBERED_SECONDS = CHANGE_KEPT_MS / 1000 - 3_600;

/**
 * If `known` has no expiry, a client like this one sent the change before now. So it expires no later than a request that
 * is sent now.
 */
function lostEarlier(call: Call, { mayHappenLater, expires }: UnknownOutcome): Failure {
	return {
		type: ConnectionError,
		message: 'in an earlier call',
		code: mayHappenLater ? 'outcome_unknown' : undefined,
		expires: expires ?? call.latestExpiry(),
	};
}

function settleByEvidence(call: Call, turns: Turns, known: UnknownOutcome): Promise<'done' | 'not_done'> {
	const { username } = known;
	return turns.take(username, call, true, async () => {
		if (!call.clock.isKnown) await askTime(call);
		const lost = lostEarlier(call, known);
		let balanceAfterCents: number | undefined;
		const unknown = (why: string, cause?: unknown) =>
			outcomeUnknown({ ...known, ...(balanceAfterCents !== undefined && { balanceAfterCents }) }, lost, why, { cause });
		const verdict = await lookAfterLoss(call, turns, {
			username,
			lost,
			async look() {
				const seen = await lookFor(call, known);
				balanceAfterCents = seen.balanceCents;
				return seen.verdict;
			},
			isEnough: (seen) => seen !== 'not_done',
			unknown,
		});
		if (verdict === 'unclear') throw unknown('a look cannot tell');
		if (verdict === 'done') turns.found(username);
		return verdict;
	});
}

/** Waits until no change that any client like this one sent before now can take effect any more. */
export async function awaitSettled(call: Call, turns: Turns): Promise<void> {
	if (!call.clock.isKnown) await askTime(call);
	turns.lost(EVERYBODY, call.latestExpiry());
	if (!(await turns.settled(EVERYBODY, call))) {
		throw new ConnectionError('the call ran out of time before earlier requests had settled');
	}
}

/** Not a valid username, which has no spaces. */
const EVERYBODY = 'all usernames';

/** Throws a `TypeError` if no error of this client can hold this: the caller may have stored and changed it. */
function checkKnown(known: UnknownOutcome): void {
	const { operation, username, changeId, amountCents, balanceBeforeCents, authKeyBeforeSha256, expires } = known;
	const isId = changeId === undefined || (typeof changeId === 'string' && isChangeId(changeId));
	const areCounts = [amountCents, balanceBeforeCents, expires].every(
		(count) => count === undefined || (Number.isSafeInteger(count) && count >= 0),
	);
	const isDigest = authKeyBeforeSha256 === undefined || /^[0-9a-f]{64}$/.test(authKeyBeforeSha256);
	const isFlag = (flag: unknown) => flag === undefined || typeof flag === 'boolean';
	const areFlags = isFlag(known.mayHappenLater) && isFlag(known.isDisturbed);
	if (isOperation(operation) && typeof username === 'string' && isId && areCounts && isDigest && areFlags) return;
	throw new TypeError('known must be the `known` of an OutcomeUnknownError');
}

interface Sight {
	readonly verdict: TransferVerdict;
	readonly balanceCents?: number;
}

async function lookFor(call: Call, known: UnknownOutcome): Promise<Sight> {
	const { operation, username, authKeyBeforeSha256 } = known;
	if (operation === 'create') return { verdict: (await find(call, username)) ? 'done' : 'not_done' };
	if (operation === 'delete') return { verdict: (await find(call, username)) ? 'not_done' : 'done' };
	const { balanceCents, proxyAuthkey } = await viewSubUser(call, username);
	if (operation !== 'reset_auth_key') return { verdict: judgeTransfer(known, balanceCents), balanceCents };
	if (authKeyBeforeSha256 === undefined || known.isDisturbed) return { verdict: 'unclear' };
	return { verdict: (await sha256(proxyAuthkey)) === authKeyBeforeSha256 ? 'not_done' : 'done' };
}
