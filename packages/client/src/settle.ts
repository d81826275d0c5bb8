import type { Call } from './call.ts';
import { lookAfterLoss, outcomeUnknown } from './change.ts';
import { ConnectionError, type UnknownOutcome } from './errors.ts';
import { judgeTransfer, type TransferVerdict } from './judge-transfer.ts';
import { askTime, find, viewSubUser } from './read.ts';
import type { Failure } from './reply.ts';
import { sha256 } from './sha256.ts';
import type { Turns } from './turns.ts';

/**
 * Finds out what became of a change of an earlier call, of this process or another one, that ended as unknown.
 * A change that names no expiry was sent before now at the latest, by a client like this one, and expires with
 * a request that is sent now.
 */
export function settle(call: Call, turns: Turns, known: UnknownOutcome): Promise<'done' | 'not_done'> {
	checkKnown(known);
	const { username } = known;
	return turns.take(username, call, true, async () => {
		if (!call.clock.isKnown) await askTime(call);
		const lost: Failure = {
			type: ConnectionError,
			message: 'that of an earlier call',
			code: known.mayHappenLater ? 'outcome_unknown' : undefined,
			expires: known.expires ?? call.latestExpiry(),
		};
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
		if (verdict === 'unclear') throw unknown('what is seen fits neither story');
		if (verdict === 'done') turns.found(username);
		return verdict;
	});
}

/** Waits until no change that a client like this one sent before now can take effect any more, whoever sent it. */
export async function awaitSettled(call: Call, turns: Turns): Promise<void> {
	if (!call.clock.isKnown) await askTime(call);
	turns.lost(EVERYBODY, call.latestExpiry());
	if (!(await turns.settled(EVERYBODY, call))) {
		throw new ConnectionError('the time for this call was over before earlier requests had settled');
	}
}

/** No username: those have no spaces. */
const EVERYBODY = 'all usernames';

/** Throws a `TypeError` for what no error of this client has said: it may have been stored, and changed there. */
function checkKnown(known: UnknownOutcome): void {
	const { operation, username, amountCents, balanceBeforeCents, authKeyBeforeSha256, expires } = known;
	const isOperation = ['create', 'give', 'take', 'reset_auth_key'].includes(operation);
	const areCounts = [amountCents, balanceBeforeCents, expires].every(
		(count) => count === undefined || (Number.isSafeInteger(count) && count >= 0),
	);
	const isDigest = authKeyBeforeSha256 === undefined || /^[0-9a-f]{64}$/.test(authKeyBeforeSha256);
	const isFlag = (flag: unknown) => flag === undefined || typeof flag === 'boolean';
	const areFlags = isFlag(known.mayHappenLater) && isFlag(known.isDisturbed);
	if (isOperation && typeof username === 'string' && areCounts && isDigest && areFlags) return;
	throw new TypeError('known must be what an OutcomeUnknownError knows');
}

interface Sight {
	readonly verdict: TransferVerdict;
	readonly balanceCents?: number;
}

async function lookFor(call: Call, known: UnknownOutcome): Promise<Sight> {
	const { operation, username, authKeyBeforeSha256 } = known;
	if (operation === 'create') return { verdict: (await find(call, username)) ? 'done' : 'not_done' };
	const { balanceCents, proxyAuthkey } = await viewSubUser(call, username);
	if (operation !== 'reset_auth_key') return { verdict: judgeTransfer(known, balanceCents), balanceCents };
	if (authKeyBeforeSha256 === undefined || known.isDisturbed) return { verdict: 'unclear' };
	return { verdict: (await sha256(proxyAuthkey)) === authKeyBeforeSha256 ? 'not_done' : 'done' };
}
