import { CommandError } from '@bursar/terminal';
import type { Refusal, RefusalReason } from '../domain/command.ts';

/** A refusal as an error of the command line, with its cause if one is known. */
export function refusalError({ error }: Refusal, cause?: Error): CommandError {
	const { code = error, message } = REFUSALS[error];
	return new CommandError(code, cause ? `${message} (${cause.message})` : message);
}

/** What the operator is told, and the code for scripts if it is not the name of the refusal. */
const REFUSALS: Readonly<Record<RefusalReason, { readonly code?: string; readonly message: string }>> = {
	unknown_reseller: { message: 'there is no reseller of that name' },
	unknown_sub_user: { message: 'no sub-user of that reseller has that username' },
	no_usable_username: { message: 'that is not a username' },
	username_taken: { message: 'that username is already registered' },
	invalid_amount: { message: 'the amount must be an integer of cents, and not 0' },
	insufficient_balance: { message: 'the balance of the reseller is smaller than what would be taken back' },
	balance_limit: { message: 'no balance may be above 9007199254740991 cents' },
	invalid_overlap: { message: 'the overlap must be from 0 to 240 seconds' },
	rotation_pending: {
		message:
			'an earlier rotation or revocation is still taking effect: wait until half a minute after the previous token has expired',
	},
	invalid_reference: {
		message:
			'a reference has 1 to 200 characters in UTF-8, all of them visible and in their plain form (Unicode NFKC), and no spaces but single ones between words',
	},
	reference_conflict: {
		message: 'that reference was used before for another reseller or another amount; nothing was done',
	},
	rules_failed: { code: 'internal_error', message: 'the command made the rules fail, and nothing was done' },
	not_done: { code: 'unavailable', message: 'the store could not be written; nothing was done' },
	outcome_unknown: {
		message: 'the store failed while it committed: look whether the change is there before repeating it',
	},
};
