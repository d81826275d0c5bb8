import type { ActKind, BrandPart, FailedFactor, SignInFactor } from '@bursar/contract/dashboard';
import { texts } from '../../preferences/catalogue.ts';

export const actsTexts = texts('actsTexts', {
	lead: 'What people did on the dashboard, and operators on the command line and with programs, the newest first. What programs moved with a token is in the statements. All times are in {zone}.',
	teamLead:
		'What your team, your programs and the operator did, the newest first. What programs moved with a token is in the transactions. All times are in {zone}.',
	/** The warning of a low balance was removed. */
	noWarning: 'removed',
	andMore: '{names} and {count} more',
	label: 'What people did',
	at: 'Time',
	person: 'Person',
	personFilter: 'Part of an e-mail',
	operator: 'Operator',
	commandLine: 'Command line',
	operatorProgram: 'Program of the operator',
	program: 'API, token …{tail}',
	act: 'Action',
	allActs: 'All',
	csv: 'Download as CSV',
	address: 'Address',
	invalidEmail: 'This is not an e-mail address.',
	none: 'Nothing is recorded yet.',
	nothingOlder: 'There is nothing older.',
	nothingFound: 'Nothing matches these filters.',
	nothingYet: 'Nothing found so far.',
});

/** What the person did. */
export const ownActsTexts = texts('ownActsTexts', {
	title: 'What you did',
	lead: 'Failed sign-ins are tries of others too. If you find anything else here that you did not do, change your password and tell the operator.',
	none: 'Nothing is recorded yet.',
	from: ', from {address}',
	more: 'Show more',
});

/** The kinds of acts, as a list shows them. */
export const actKindTexts = texts('actKindTexts', {
	sign_in: 'Signed in',
	accept_invitation: 'Accepted an invitation',
	claim: 'Claimed the service',
	set_password: 'Changed the password',
	set_codes: 'Set up one-time codes',
	remove_codes: 'Removed the one-time codes',
	set_recovery_codes: 'Made new recovery codes',
	add_passkey: 'Added a passkey',
	rename_passkey: 'Renamed a passkey',
	remove_passkey: 'Removed a passkey',
	end_session: 'Ended a session',
	end_other_sessions: 'Ended all other sessions',
	rotate_token: 'Rotated the token',
	end_all_tokens: 'Ended every token',
	create_token: 'Created a further token',
	end_token: 'Ended a further token',
	create_operator_token: 'Created a token for a program of the operator',
	set_brand: 'Changed the brand',
	end_operator_token: 'Ended a token of a program of the operator',
	create_sub_user: 'Paid to create a sub-user',
	give_balance: 'Gave balance to a sub-user',
	take_balance: 'Took balance from a sub-user',
	show_auth_key: 'Looked at a proxy auth key',
	reset_auth_key: 'Reset a proxy auth key',
	set_low_balance: 'Changed the warning of a low balance',
	create_reseller: 'Created a reseller',
	top_up: 'Topped up a reseller',
	adjust: 'Took money back from a reseller',
	invite_person: 'Invited a person',
	make_claim: 'Made the link of the first operator',
	lock_person: 'Locked a person',
	unlock_person: 'Unlocked a person',
	reset_person: 'Reset the sign-in of a person',
	remove_person: 'Removed a person',
	set_role: 'Changed the role of a person',
	create_edge: 'Made a key for an edge',
	link_edge: 'Made a link for an edge',
	join_edge: 'An edge joined',
	revoke_edge: 'Revoked an edge',
	verify_ledger: 'Verified the ledger',
	failed_sign_in: 'Failed sign-in',
	failed_proof: 'Failed proof',
	end_all_sessions: 'Ended the sessions of all people',
	import_usage: 'Imported usage',
	correct_usage: 'Corrected the usage of a day',
	set_price: 'Set the price of bandwidth',
	forgive_debt: 'Forgave a debt',
	suspend_sub_user: 'Suspended a sub-user',
	resume_sub_user: 'Resumed a sub-user',
	set_limits: 'Set the limits of a sub-user',
	set_note: 'Changed the note of a sub-user',
	delete_sub_user: 'Deleted a sub-user',
	suspend_reseller: 'Suspended a reseller',
	resume_reseller: 'Resumed a reseller',
	note_reseller: 'Changed the note of a reseller',
	change_master_key: 'Changed the master key',
	replace_master_key: 'Replaced the lost master key',
	create_webhook: 'Created a webhook',
	update_webhook: 'Changed a webhook',
	delete_webhook: 'Deleted a webhook',
	rotate_webhook_secret: 'Made a new secret for a webhook',
	test_webhook: 'Tested a webhook',
	pause_webhooks: 'Paused the webhooks of a copy',
	resume_webhooks: 'Resumed the webhooks of a copy',
	want_mail: 'Asked for mails',
	stop_mail: 'Stopped mails',
} as const satisfies Record<ActKind, string>);

export const brandPartTexts = texts('brandPartTexts', {
	name: 'name',
	color: 'colour',
	logo: 'logo',
	letterhead: 'letterhead',
} as const satisfies Record<BrandPart, string>);

export const failedFactorTexts = texts('failedFactorTexts', {
	password: 'wrong password',
	code: 'right password, wrong code',
	passkey: 'wrong passkey',
} as const satisfies Record<FailedFactor, string>);

/** The ways in which a person signs in. */
export const signInFactorTexts = texts('signInFactorTexts', {
	password: 'Signed in with the password',
	one_time_code: 'Signed in with the password and a one-time code',
	recovery_code: 'Signed in with the password and a recovery code',
	passkey: 'Signed in with a passkey',
	link: 'Signed in with a link',
} as const satisfies Record<SignInFactor, string>);
