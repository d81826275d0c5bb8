import type { ErrorDescription } from '@bursar/contract';
import { type DashboardErrorCode, dashboardErrors } from '@bursar/contract/dashboard';
import type { FastifyReply } from 'fastify';
import type { ChangeRefusal, RefusalReason } from '../../../domain/command.ts';
import type { OperatorCommand } from '../../../domain/operators/operator-command.ts';
import type { OwnCommand } from '../../../domain/people/own-change.ts';
import type { PersonRefusalReason } from '../../../domain/people/person-command.ts';
import type { SignInCommand } from '../../../domain/people/sign-in-command.ts';
import { sendAnswer } from '../../server/answers.ts';
import { describedFailure } from '../../server/envelope.ts';

/** Why a call was refused. */
export interface Refused {
	readonly refused: DashboardErrorCode;
	/** How long to wait before the next try, in milliseconds. */
	readonly waitMs?: number;
	/** Whether the asker, or people who sign in, keep the service busy. The store is well. */
	readonly isAskersBound?: true;
}

/** The error codes with which people are answered when the rules refused a command. */
const REFUSAL_CODES: Readonly<Record<Reason, DashboardErrorCode>> = {
	too_many_tries: 'too_many_tries',
	invalid_link: 'invalid_link',
	code_required: 'code_required',
	wrong_code: 'wrong_code',
	challenge_used: 'passkey_refused',
	signed_out: 'signed_out',
	proof_required: 'proof_required',
	act_repeated: 'act_repeated',
	second_factor_required: 'second_factor_required',
	last_factor: 'last_factor',
	too_many_passkeys: 'too_many_passkeys',
	passkey_taken: 'passkey_refused',
	unknown_passkey: 'not_found',
	unknown_session: 'not_found',
	unknown_mail: 'not_found',
	// The person was locked, or the password was changed at the same moment.
	factor_changed: 'wrong_credentials',
	not_allowed: 'not_allowed',
	verification_runs: 'verification_runs',
	email_taken: 'email_taken',
	unknown_person: 'unknown_person',
	own_account: 'own_account',
	last_operator: 'last_operator',
	team_full: 'team_full',
	not_for_operators: 'not_for_operators',
	unknown_username: 'unknown_account',
	invalid_bytes: 'invalid_bytes',
	day_ahead: 'day_ahead',
	too_few_bytes: 'too_few_bytes',
	too_many_bytes: 'too_many_bytes',
	invalid_edge_name: 'invalid_edge_name',
	edge_exists: 'edge_exists',
	too_many_edges: 'too_many_edges',
	unknown_edge: 'unknown_edge',
	unknown_reseller: 'unknown_reseller',
	rotation_pending: 'rotation_pending',
	invalid_limits: 'invalid_limits',
	invalid_note: 'invalid_note',
	suspended: 'suspended',
	unknown_sub_user: 'unknown_sub_user',
	invalid_amount: 'invalid_amount',
	invalid_price: 'invalid_price',
	invalid_debt_line: 'invalid_debt_line',
	more_than_the_debt: 'more_than_the_debt',
	insufficient_balance: 'insufficient_balance',
	balance_limit: 'balance_limit',
	no_usable_username: 'invalid_username',
	username_taken: 'username_taken',
	invalid_reference: 'invalid_reference',
	invalid_reason: 'invalid_reason',
	reference_conflict: 'reference_conflict',
	// The overlap was checked.
	invalid_overlap: 'internal_error',
	rules_failed: 'internal_error',
	not_done: 'unavailable',
	outcome_unknown: 'outcome_unknown',
};

/** The commands about people that pages give. */
type GivenCommand = SignInCommand | OwnCommand | Extract<OperatorCommand, { readonly by?: unknown }>;
/** What people do has acts, and no change ids. */
type Reason = Exclude<RefusalReason, ChangeRefusal> | PersonRefusalReason<GivenCommand>;

interface RefusedCommand {
	readonly error: Reason;
	readonly isAskersBound?: true;
}

/** The answer to a command that was refused. */
export function refusedBy({ error, isAskersBound }: RefusedCommand): Refused {
	return { refused: REFUSAL_CODES[error], ...(isAskersBound && { isAskersBound }) };
}

/** Answers a refusal in the envelope. `nowMs` is in Unix milliseconds. */
export function sendRefusal(
	reply: FastifyReply,
	{ refused, waitMs, isAskersBound }: Refused,
	nowMs: number,
): FastifyReply {
	if (isAskersBound) reply.request.unavailableBecause = 'asker';
	const description: ErrorDescription = dashboardErrors[refused];
	const retryAfterSeconds = waitMs === undefined ? description.retryAfterSeconds : Math.ceil(waitMs / 1000);
	return sendAnswer(
		reply,
		describedFailure(refused, { ...description, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }, nowMs),
	);
}
