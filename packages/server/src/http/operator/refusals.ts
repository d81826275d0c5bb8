import type { OperatorErrorCode } from '@bursar/contract/operator';
import type { Command, PersonCommand, PersonRefusalReason, RefusalReason } from '../../commands/registry.ts';
import type { Refused } from './calls.ts';

/** The commands that programs of the operator give. */
type GivenCommand = Extract<
	Command,
	{
		readonly kind:
			| ('create_reseller' | 'suspend_reseller' | 'resume_reseller' | 'credit_reseller' | 'set_price' | 'forgive_debt')
			| ('revoke_token' | 'end_token');
	}
>;
type GivenPersonCommand = Extract<
	PersonCommand,
	{
		readonly kind:
			| ('invite_person' | 'lock_person' | 'unlock_person' | 'remove_person')
			| ('link_edge' | 'revoke_edge' | 'correct_usage');
	}
>;

type Reason = RefusalReason<GivenCommand> | PersonRefusalReason<GivenPersonCommand>;

/** The reason is the error code. These have another one. */
const OTHER_CODES: Readonly<Record<Exclude<Reason, OperatorErrorCode>, OperatorErrorCode>> = {
	act_repeated: 'change_repeated',
	// Programs have no people of the operator.
	not_allowed: 'unknown_person',
	last_operator: 'unknown_person',
	own_account: 'unknown_person',
	signed_out: 'internal_error',
	proof_required: 'internal_error',
	unknown_username: 'unknown_account',
	suspended: 'internal_error',
	rules_failed: 'internal_error',
	not_done: 'unavailable',
};

interface RefusedCommand {
	readonly error: Reason;
	readonly isCallerBusy?: true;
}

/** The answer to a command that was refused. */
export function refusedBy({ error, isCallerBusy }: RefusedCommand): Refused {
	const refused = error in OTHER_CODES ? OTHER_CODES[error as keyof typeof OTHER_CODES] : (error as OperatorErrorCode);
	return { refused, isCallerBusy };
}
