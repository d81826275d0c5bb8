import {
	MAX_ADDRESS_LINES,
	MAX_BRAND_NAME_CHARACTERS,
	MAX_CENTS,
	MAX_LETTERHEAD_CHARACTERS,
	MAX_LOGO_BYTES,
	MAX_LOGO_PIXELS,
	MAX_TOKEN_DAYS,
} from '@bursar/contract/limits';
import { usd } from '@bursar/contract/usd';
import { USERNAME_RULE } from '@bursar/contract/username';
import { CommandError } from '@bursar/terminal';
import type { ChangeRefusal } from '../commands/command.ts';
import type {
	AnyWebhookCommand,
	Command,
	PersonCommand,
	PersonRefusalReason,
	RefusalReason,
	WithoutAct,
} from '../commands/registry.ts';

/** The commands about people that the command line gives. The last two are for the demo. */
type GivenCommand = WithoutCaller<
	Extract<
		PersonCommand,
		{
			readonly kind:
				| ('invite_person' | 'reset_person' | 'lock_person' | 'unlock_person' | 'remove_person' | 'set_role')
				| ('make_claim' | 'end_all_sessions' | 'import_usage' | 'correct_usage')
				| ('create_operator_token' | 'end_operator_token')
				| 'set_brand'
				| ('create_edge' | 'link_edge' | 'join_edge' | 'revoke_edge')
				| ('pause_webhooks' | 'resume_webhooks')
				| ('accept_invitation' | 'sign_out');
		}
	>
>;

/** As the command line gives it. */
export type WithoutCaller<C extends PersonCommand> = C extends unknown ? Omit<C, 'by'> : never;

/** A command of the operator has no change id. */
type Reason =
	| Exclude<RefusalReason<WithoutAct<Exclude<Command, AnyWebhookCommand>>>, ChangeRefusal>
	| PersonRefusalReason<GivenCommand>;

/** A command of the operator that was refused. */
export interface Refused {
	readonly error: Reason;
}

/** A refusal as an error of the command line, with its cause if one is known. */
export function refusalError({ error }: Refused, cause?: Error): CommandError {
	const { code = error, message } = REFUSALS[error];
	return new CommandError(code, cause ? `${message} (${cause.message})` : message);
}

/** The messages for the operator, and the code for scripts if it is not the name of the refusal. */
const REFUSALS: Readonly<Record<Reason, { readonly code?: string; readonly message: string }>> = {
	unknown_reseller: { message: 'there is no reseller with that name' },
	unknown_person: { message: 'there is no person with that e-mail address' },
	team_full: { message: 'that reseller has 100 people already: remove one first' },
	not_for_operators: { message: 'that person is an operator, and operators have no role' },
	last_operator: {
		message: 'no other operator could sign in: invite one with bursar operator invite, who must set a password first',
	},
	email_taken: {
		message:
			'a person with that e-mail address works for another reseller, or has a password already: for a new link, use bursar person reset',
	},
	operator_exists: {
		message:
			'there is an operator already: for another one, use bursar operator invite; for a lost password, bursar person reset',
	},
	invalid_link: { message: 'the link is not valid: it was used, replaced, or is too old' },
	invalid_limits: { message: 'a limit has not its form' },
	invalid_sign_in_ips: { message: 'these are not addresses of clients' },
	address_taken: { message: 'an account signs in from one of these addresses already' },
	sign_in_by_address_off: { message: 'that reseller may not sign in by address' },
	invalid_note: {
		message: 'a note must have at most 200 characters, without line breaks and other invisible characters',
	},
	suspended: { message: 'that reseller is suspended: nothing was done' },
	unknown_sub_user: { message: 'that reseller has no sub-user with that username' },
	no_usable_username: { message: `that is not a valid username (${USERNAME_RULE})` },
	username_taken: { message: 'that username is already registered' },
	invalid_price: { message: 'the price must be from 0.000001 to 1000 US dollars a GB, with six decimals at most' },
	invalid_debt_line: { message: `the line must not exceed ${usd(MAX_CENTS)} USD` },
	more_than_the_debt: { message: 'the reseller owes less than that: nothing was forgiven' },
	invalid_amount: { message: 'the amount must not be 0' },
	insufficient_balance: { message: 'the balance of the reseller is smaller than the amount to take back' },
	balance_limit: { message: `a balance must not exceed ${usd(MAX_CENTS)} USD` },
	invalid_overlap: { message: 'the overlap must be from 0 to 240 seconds' },
	rotation_pending: {
		message: 'an earlier rotation is still taking effect: try again half a minute after the previous token has expired',
	},
	invalid_reference: {
		message:
			'a reference must have 1 to 200 visible characters in UTF-8, in their plain form (Unicode NFKC), with single spaces between words',
	},
	invalid_reason: {
		message:
			'a reason must have at most 200 characters in UTF-8, without line breaks and other invisible characters; to take money back or to correct a day, a reason is needed',
	},
	reference_conflict: {
		message: 'that reference was already used for something else: nothing was done',
	},
	unknown_payment: { message: 'there is no payment with that id' },
	not_due: { message: 'that payment is being read already' },
	amount_out_of_bounds: { message: 'that amount is below or above what the settings allow' },
	too_many_payments: { message: 'too many payments of that reseller wait for money' },
	rules_failed: { code: 'internal_error', message: 'the rules failed for this command, and nothing was done' },
	invalid_edge_name: {
		message:
			'the name of an edge must have 1 to 63 lowercase letters, digits, periods and hyphens, and begin and end with a letter or digit',
	},
	edge_exists: { message: 'there is an edge with that name: for a new key, revoke it first' },
	too_many_edges: { message: 'there are 1000 edges: create a revoked one again' },
	invalid_bytes: { message: 'the bytes must be whole numbers, and not both 0; nothing was done' },
	unknown_username: { message: 'there is no account with that username' },
	day_ahead: { message: 'that day has not begun yet (UTC); nothing was done' },
	too_few_bytes: { message: 'the day has fewer bytes than that: no total may be below zero; nothing was done' },
	too_many_bytes: { message: 'the total of a day must not exceed 9007199254740991 bytes; nothing was done' },
	invalid_token: {
		message: `a token must have a name of 1 to 40 letters, digits, spaces, periods, underscores and hyphens, one or more scopes, each once, and an end at most ${MAX_TOKEN_DAYS} days ahead`,
	},
	token_exists: { message: 'there is a token with that name: choose another one, or end it first' },
	too_many_tokens: { message: 'there are as many tokens as there can be: end one first' },
	// Only programs ask with a token.
	unauthorized: { code: 'internal_error', message: 'a token was refused' },
	unknown_token: { message: 'there is no token with that name' },
	invalid_brand_name: {
		message: `the name must have 1 to ${MAX_BRAND_NAME_CHARACTERS} characters in one line, without invisible characters and spaces around it`,
	},
	invalid_color: { message: 'the colour must be written like #4263eb' },
	invalid_logo: {
		message: `the logo must be a PNG of at most ${MAX_LOGO_BYTES / 1024} KiB and ${MAX_LOGO_PIXELS} pixels a side, not animated and not damaged`,
	},
	invalid_letterhead: {
		message: `each line of the letterhead must have at most ${MAX_LETTERHEAD_CHARACTERS} characters, without invisible ones and spaces around it, and the address at most ${MAX_ADDRESS_LINES} lines`,
	},
	unknown_edge: { message: 'there is no edge with that name' },
	not_done: { code: 'unavailable', message: 'the store could not be written; nothing was done' },
	outcome_unknown: {
		message: 'the store failed during the commit: check whether the change is there before you repeat it',
	},
};
