import { errors } from '@bursar/contract/errors';
import { CommandError } from '@bursar/terminal';
import type { Refusal } from '../domain/command.ts';

/** A refusal as an error of the command line, with its cause where one is known. */
export function refusalError({ error }: Refusal, cause?: Error): CommandError {
	const message = REFUSALS[error] ?? (error in errors ? errors[error as keyof typeof errors].message : error);
	return new CommandError(error, cause ? `${message} (${cause.message})` : message);
}

const REFUSALS: Readonly<Partial<Record<Refusal['error'], string>>> = {
	unknown_reseller: 'there is no reseller of that name',
	username_taken: 'that username is already registered',
	invalid_amount: 'the amount must be an integer of cents, and not 0',
	insufficient_balance: 'the balance of the reseller is smaller than what would be taken back',
	invalid_overlap: 'the overlap must be from 0 to 240 seconds',
	invalid_reference:
		'a reference has 1 to 200 characters in UTF-8, all of them visible and in their plain form (Unicode NFKC), and no spaces but single ones between words',
	reference_conflict: 'that reference was used before for another reseller or another amount; nothing was done',
	balance_limit: 'no balance may be above 9007199254740991 cents',
	unavailable: 'the store could not be written; nothing was done',
	outcome_unknown: 'the store failed while it committed: look whether the change is there before repeating it',
	internal_error: 'the command made the rules fail, and nothing was done',
};
