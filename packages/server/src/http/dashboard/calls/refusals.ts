import type { ErrorDescription } from '@bursar/contract';
import { type DashboardErrorCode, dashboardErrors } from '@bursar/contract/dashboard';
import type { FastifyReply } from 'fastify';
import type { ChangeRefusal } from '../../../commands/command.ts';
import type { Command, PersonRefusalReason, RefusalReason } from '../../../commands/registry.ts';
import { sendAnswer } from '../../server/answers.ts';
import { describedFailure } from '../../server/envelope.ts';

/** Why a call was refused. */
export interface Refused {
	readonly refused: DashboardErrorCode;
	/** How long to wait before the next try, in milliseconds. */
	readonly waitMs?: number;
	/** Set if the caller, or people who sign in, keep the service busy. The store is well. */
	readonly isCallerBusy?: true;
}

/** What people do has acts, and no change ids. */
type Reason = Exclude<RefusalReason<Command>, ChangeRefusal> | PersonRefusalReason | 'provider_off';

/** The reason is the error code. These have another one. */
const OTHER_CODES: Readonly<Record<Exclude<Reason, DashboardErrorCode>, DashboardErrorCode>> = {
	challenge_used: 'passkey_refused',
	passkey_taken: 'passkey_refused',
	unknown_passkey: 'not_found',
	unknown_session: 'not_found',
	unknown_mail: 'not_found',
	// Only the service itself begins to read a payment.
	not_due: 'internal_error',
	// The person was locked, or the password was changed at the same moment.
	factor_changed: 'wrong_credentials',
	unknown_username: 'unknown_account',
	no_usable_username: 'invalid_username',
	// Only programs ask with a token.
	unauthorized: 'internal_error',
	// Only the command line makes a claim, and the overlap was checked.
	operator_exists: 'internal_error',
	invalid_overlap: 'internal_error',
	rules_failed: 'internal_error',
	not_done: 'unavailable',
};

interface RefusedCommand {
	readonly error: Reason;
	readonly isCallerBusy?: true;
}

/** The answer to a command that was refused. */
export function refusedBy({ error, isCallerBusy }: RefusedCommand): Refused {
	return { refused: codeOf(error), ...(isCallerBusy && { isCallerBusy }) };
}

function codeOf(error: Reason): DashboardErrorCode {
	return error in OTHER_CODES ? OTHER_CODES[error as keyof typeof OTHER_CODES] : (error as DashboardErrorCode);
}

/** Answers a refusal in the envelope. `nowMs` is in Unix milliseconds. */
export function sendRefusal(
	reply: FastifyReply,
	{ refused, waitMs, isCallerBusy }: Refused,
	nowMs: number,
): FastifyReply {
	if (isCallerBusy) reply.request.unavailableBecause = 'asker';
	const description: ErrorDescription = dashboardErrors[refused];
	const retryAfterSeconds = waitMs === undefined ? description.retryAfterSeconds : Math.ceil(waitMs / 1000);
	return sendAnswer(
		reply,
		describedFailure(refused, { ...description, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }, nowMs),
	);
}
