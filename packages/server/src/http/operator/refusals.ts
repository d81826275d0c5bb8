import type { OperatorErrorCode } from '@bursar/contract/operator';
import type { Refused } from './calls.ts';

/** The reason of a command is the error code. These have another one. */
const OTHER_CODES = {
	act_repeated: 'change_repeated',
	unknown_username: 'unknown_account',
	not_done: 'unavailable',
	rules_failed: 'internal_error',
	// Programs have no session and are no people, and what they give counts for suspended resellers too.
	signed_out: 'internal_error',
	proof_required: 'internal_error',
	not_allowed: 'internal_error',
	own_account: 'internal_error',
	last_operator: 'internal_error',
	suspended: 'internal_error',
} as const satisfies Readonly<Record<string, OperatorErrorCode>>;

type Reason = keyof typeof OTHER_CODES | OperatorErrorCode;
type CodeOf<R extends Reason> = R extends keyof typeof OTHER_CODES
	? (typeof OTHER_CODES)[R]
	: Extract<R, OperatorErrorCode>;

/** The answer to a command that was refused. */
export function refusedBy<R extends Reason>({
	error,
	isCallerBusy,
}: {
	readonly error: R;
	readonly isCallerBusy?: true;
}): Refused<CodeOf<R>> {
	const refused = error in OTHER_CODES ? OTHER_CODES[error as keyof typeof OTHER_CODES] : error;
	return { refused: refused as CodeOf<R>, isCallerBusy };
}
