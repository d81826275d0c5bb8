import { errors } from '@bursar/contract/errors';
import type { Confirmation, RecordedChange } from '../accounts.ts';
import {
	type ErrorDetails,
	type FeeRange,
	InvalidRequestError,
	OutcomeUnknownError,
	UnexpectedAnswerError,
	type UnknownOutcome,
} from '../errors.ts';
import type { Call } from './call.ts';
import type { Exchange } from './exchange.ts';
import { feeOf, mayCostFee, NOTHING, ONE_FEE, PERHAPS_ONE_FEE } from './fees.ts';
import { findChange, lookForChange, NOT_HONOURED, type Unknown } from './find-change.ts';
import { errorOf, type Failure, refusalType } from './reply.ts';

export interface Change<Data> {
	readonly asked: Pick<UnknownOutcome, 'operation' | 'username' | 'amountCents'>;
	readonly request: Exchange<Data>;
	/** What the service has answered, or would answer now. */
	answerOf(recorded: RecordedChange, call: Call): Data | Promise<Data>;
}

/**
 * Sends a change until its outcome is known. The service records its id with it, in one transaction, and does it at most
 * once. So after a lost answer the client looks for the id, and sends the change again if it is absent. A refusal after a
 * lost answer is final only if the lost request can no longer arrive: until then it may still take effect.
 */
export async function sendChange<Data>(call: Call, change: Change<Data>): Promise<Data & Confirmation> {
	const mayTryAgain = call.attempts();
	let lost: Failure | undefined;
	const unknown: Unknown = (why, cause) => {
		const details = { cause, ...feeDetails(change, PERHAPS_ONE_FEE) };
		return outcomeUnknown({ ...change.asked, changeId: call.changeId }, lost as Failure, why, details);
	};
	/** If the call ends after a lost answer, the outcome stays unknown. */
	const orUnknown = (why: string) => (cause: unknown) => {
		throw lost === undefined ? cause : unknown(why, cause);
	};
	// An earlier call may have done it, and this service would do it again.
	if (call.isIdGiven && call.service.isHonoured === false) throw new UnexpectedAnswerError(NOT_HONOURED);
	for (;;) {
		const reply = await call.send({ ...change.request, isMarked: true }).catch(orUnknown('the call was ended'));
		if (reply.kind === 'answered') return { ...reply.data, confirmedBy: 'answer', requestId: reply.requestId };
		const { failure } = reply;
		if (reply.kind === 'lost') lost = withEarlier(lost, failure);

		if (lost !== undefined) {
			const recorded =
				failure.recorded ??
				(await lookForChange(call).catch((cause) => {
					throw unknown(call.service.isHonoured === false ? NOT_HONOURED : 'looking for it failed', cause);
				}));
			if (recorded) return outcomeOf(call, change, recorded, unknown);
			if (!call.service.isHonoured) throw unknown(NOT_HONOURED);
		}
		const neededMs = lost === undefined ? 0 : call.judgingMs;
		const isRefused = reply.kind === 'refused';
		if (!isRefused && (await mayTryAgain(reply, neededMs).catch(orUnknown('the call was ended')))) continue;

		if (lost === undefined) throw errorOf(failure, feeDetails(change, feeOf(change.asked.operation, reply)));
		const recorded = await findChange(call, lost, unknown);
		if (recorded) return outcomeOf(call, change, recorded, unknown);
		throw errorOf(failure, feeDetails(change, NOTHING));
	}
}

/** The error for a change whose answer was lost. `why` says why looking could not tell the outcome. */
export function outcomeUnknown(
	asked: Omit<UnknownOutcome, 'expires' | 'mayHappenLater'>,
	lost: Failure,
	why: string,
	{ cause = errorOf(lost), ...details }: ErrorDetails = {},
): OutcomeUnknownError {
	const { code, status, requestId, expires } = lost;
	const { operation, username, amountCents, changeId } = asked;
	const later = code === 'outcome_unknown' ? { mayHappenLater: true } : {};
	const words = [operation, username, amountCents === undefined ? undefined : `${amountCents} cents`];
	const what = operation === undefined ? `the change ${changeId}` : `"${words.filter(Boolean).join(' ')}"`;
	return new OutcomeUnknownError(
		`whether ${what} took effect is not known: its answer was lost (${lost.message}), and ${why}`,
		{ ...asked, ...(expires !== undefined && { expires }), ...later },
		{ code, status, requestId, ...details, cause },
	);
}

/** An earlier answer can tell more than the last one. The request that expires last can arrive longest. */
function withEarlier(earlier: Failure | undefined, last: Failure): Failure {
	if (earlier === undefined) return last;
	const weightOf = ({ code }: Failure) => (code === 'outcome_unknown' ? 2 : code === 'change_repeated' ? 1 : 0);
	const expires = Math.max(earlier.expires ?? 0, last.expires ?? 0);
	return { ...(weightOf(earlier) > weightOf(last) ? earlier : last), expires };
}

/** The result of a change that was found. Throws what the service has answered, if that was an error. */
async function outcomeOf<Data>(
	call: Call,
	change: Change<Data>,
	recorded: RecordedChange,
	unknown: Unknown,
): Promise<Data & Confirmation> {
	refuseOther(change, recorded);
	const { error: code, requestId } = recorded;
	if (code !== undefined) {
		const { status, message } = errors[code];
		const type = refusalType(code, status) ?? UnexpectedAnswerError;
		throw errorOf(
			{ type, message: `${message} (${status} ${code})`, code, status, requestId },
			feeDetails(change, ONE_FEE),
		);
	}
	try {
		return { ...(await change.answerOf(recorded, call)), confirmedBy: 'look', requestId };
	} catch (cause) {
		throw unknown('it did, but its result could not be read', cause);
	}
}

/** A caller that gives its own id may have used it for another change. */
function refuseOther({ asked }: Pick<Change<unknown>, 'asked'>, recorded: RecordedChange): void {
	const { operation, username, amountCents = recorded.amountCents } = asked;
	// What failed has moved nothing.
	const isSameAmount = recorded.error !== undefined || recorded.amountCents === amountCents;
	if (recorded.operation === operation && recorded.username === username && isSameAmount) return;
	const message = `another change has the id ${recorded.changeId}, so this one was not made`;
	throw new InvalidRequestError(message, { code: 'change_repeated', ...feeDetails({ asked }, NOTHING) });
}

function feeDetails({ asked }: Pick<Change<unknown>, 'asked'>, fee: FeeRange): ErrorDetails {
	return mayCostFee(asked.operation) ? { fee } : {};
}
