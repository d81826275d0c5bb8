import { errors } from '@bursar/contract/errors';
import type { Confirmation, RecordedChange } from '../accounts.ts';
import type { Call } from '../call.ts';
import { lookAfterLoss, outcomeUnknown } from '../change.ts';
import {
	type ErrorDetails,
	type FeeRange,
	InvalidRequestError,
	type OutcomeUnknownError,
	UnexpectedAnswerError,
	type UnknownOutcome,
} from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { feeOf, NOTHING, ONE_FEE, PERHAPS_ONE_FEE } from '../fees.ts';
import { errorOf, type Failure, refusalType } from '../reply.ts';
import type { Turns } from '../turns.ts';
import { lookFor, viewChange } from './view-change.ts';

/** A change for a service that records it with its id. */
export interface ChangeById<Data> {
	readonly asked: Pick<UnknownOutcome, 'operation' | 'username' | 'amountCents'>;
	readonly request: Exchange<Data>;
	/** Whether it sets a state: a repeat does no harm, even if the service records no ids. */
	readonly isSetting?: boolean;
	/** What the service has answered, or would answer now. */
	answerOf(recorded: RecordedChange, call: Call): Data | Promise<Data>;
}

/**
 * Sends a change to a service that records its id with it, in one transaction. The service does it at most once, so it may
 * be sent again at any time. A look by the id tells what it did, even if others change the sub-user too.
 */
export async function sendWithId<Data>(
	call: Call,
	turns: Turns,
	change: ChangeById<Data>,
): Promise<Data & Confirmation> {
	let lost: Failure | undefined;
	const unknown: Unknown = (why, cause) => {
		const known = { ...change.asked, changeId: call.changeId };
		return outcomeUnknown(known, lost as Failure, why, { cause, ...feeDetails(change, PERHAPS_ONE_FEE) });
	};
	/** If the call ends after a lost answer, the outcome stays unknown. */
	const orUnknown = (cause: unknown): never => {
		throw lost === undefined ? cause : unknown('the call was ended', cause);
	};
	for (let attempt = 1; ; attempt++) {
		const reply = await call.send(change.request).catch(orUnknown);
		if (reply.kind === 'answered') {
			return { ...reply.data, confirmedBy: 'answer', requestId: reply.requestId };
		}
		const { failure } = reply;
		if (reply.kind === 'lost') lost = withEarlier(lost, failure);

		if (lost !== undefined) {
			// If this look fails, the repeat tells as much.
			const glance = await call.send(lookFor(call.changeId)).catch(orUnknown);
			if (glance.kind === 'answered' && glance.data) return outcomeOf(call, change, glance.data, unknown);
		}
		const isHarmless = lost === undefined || call.changeIds.areHonoured || change.isSetting;
		const mayRepeat = reply.kind !== 'refused' && isHarmless;
		const neededMs = lost === undefined ? 0 : call.judgingMs();
		if (mayRepeat && (await call.pauseAfter(attempt, failure, neededMs).catch(orUnknown))) continue;

		if (lost === undefined) throw errorOf(failure, feeDetails(change, feeOf(reply)));
		const recorded = await findAfterLoss(call, turns, { ...change.asked, changeId: call.changeId }, lost, unknown);
		if (recorded) return outcomeOf(call, change, recorded, unknown);
		throw errorOf(failure, feeDetails(change, NOTHING));
	}
}

type Unknown = (why: string, cause?: unknown) => OutcomeUnknownError;

/** An earlier answer can tell more than the last one. Then a look that does not find the change proves nothing. */
function withEarlier(earlier: Failure | undefined, { expires, ...last }: Failure): Failure {
	const more = earlier !== undefined && provesNoAbsence(earlier) ? earlier : last;
	return { ...more, expires };
}

function provesNoAbsence({ code }: Failure): boolean {
	return code === 'outcome_unknown' || code === 'change_repeated';
}

/**
 * Finds a change whose answer was lost. `undefined`: it did not take effect, and no longer can. It looks until the time
 * of the call is over.
 */
export async function findAfterLoss(
	call: Call,
	turns: Turns,
	{ username, changeId }: { readonly username: string; readonly changeId: string },
	lost: Failure,
	unknown: Unknown,
): Promise<RecordedChange | undefined> {
	const patient = call.patient();
	const recorded = await lookAfterLoss(patient, turns, {
		username,
		lost,
		look: () => viewChange(patient, changeId),
		isEnough: (seen) => seen !== undefined,
		unknown,
	});
	if (recorded) turns.found(username);
	else if (provesNoAbsence(lost)) throw unknown('the service does not show it');
	else if (!call.changeIds.areHonoured) throw unknown('not every answer of the service shows that it records changes');
	return recorded;
}

/** The result of a change that was found. Throws what the service has answered, if that was an error. */
async function outcomeOf<Data>(
	call: Call,
	change: ChangeById<Data>,
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
		return { ...(await change.answerOf(recorded, call.patient())), confirmedBy: 'look', requestId };
	} catch (cause) {
		throw unknown('it did, but its result could not be read', cause);
	}
}

/** A caller that gives its own id may have used it for another change. */
function refuseOther({ asked }: Pick<ChangeById<unknown>, 'asked'>, recorded: RecordedChange): void {
	const { operation, username, amountCents = recorded.amountCents } = asked;
	if (recorded.operation === operation && recorded.username === username && recorded.amountCents === amountCents)
		return;
	const message = `another change has the id ${recorded.changeId}, so this one was not made`;
	throw new InvalidRequestError(message, { code: 'change_repeated', ...feeDetails({ asked }, NOTHING) });
}

function feeDetails({ asked }: Pick<ChangeById<unknown>, 'asked'>, fee: FeeRange): ErrorDetails {
	return asked.operation === 'create' ? { fee } : {};
}
