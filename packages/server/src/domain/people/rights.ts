import { type Right, refusalOfRight } from '@bursar/contract/dashboard-rights';
import type { Command } from '../command.ts';
import type { OperatorCommand } from '../operators/operator-command.ts';
import type { OwnCommand } from './own-change.ts';
import type { Person } from './person.ts';

/** A command that somebody who is signed in gives for others: an operator, or an owner of a reseller. */
export type CallersCommand = Extract<OperatorCommand, { readonly by?: unknown }>;

type Kind = (Command | CallersCommand | OwnCommand)['kind'];

const CHANGE = ['change'] as const;
const OPERATE = ['operate'] as const;
const OWN = ['factors'] as const;
const SIGNED_IN = ['signed_in'] as const;

/** The rights of which a person needs one to give a command. */
const RIGHTS: Readonly<Record<Kind, readonly Right[]>> = {
	create_sub_user: CHANGE,
	give_balance: CHANGE,
	take_balance: CHANGE,
	reset_auth_key: CHANGE,
	suspend_sub_user: CHANGE,
	resume_sub_user: CHANGE,
	set_limits: CHANGE,
	set_note: CHANGE,
	delete_sub_user: CHANGE,
	set_low_balance: CHANGE,
	show_auth_key: CHANGE,
	rotate_token: ['administer'],
	revoke_token: ['administer', 'operate'],
	invite_person: ['administer', 'operate'],
	remove_person: ['administer', 'operate'],
	set_role: ['administer'],

	create_reseller: OPERATE,
	credit_reseller: OPERATE,
	set_price: OPERATE,
	forgive_debt: OPERATE,
	suspend_reseller: OPERATE,
	resume_reseller: OPERATE,
	lock_person: OPERATE,
	unlock_person: OPERATE,
	reset_person: OPERATE,
	begin_verification: OPERATE,
	correct_usage: OPERATE,
	create_edge: OPERATE,
	link_edge: OPERATE,
	revoke_edge: OPERATE,

	set_password: OWN,
	set_codes: OWN,
	remove_codes: OWN,
	set_recovery_codes: OWN,
	add_passkey: OWN,
	rename_passkey: OWN,
	remove_passkey: OWN,
	end_sessions: OWN,
	choose_mail: SIGNED_IN,

	// The service posts usage by itself.
	post_usage: [],
};

/**
 * Whether a person may give this command, and for this reseller. The routes ask before they give a command, and the rules
 * once more when they decide it, because the role may have changed meanwhile.
 */
export function mayDo(
	person: Pick<Person, 'reseller' | 'role'>,
	command: { readonly kind: Kind; readonly reseller?: string | null | undefined },
): boolean {
	const isOwn = person.reseller === null || command.reseller === undefined || command.reseller === person.reseller;
	return isOwn && RIGHTS[command.kind].some((right) => refusalOfRight(person, right) === undefined);
}
