import { setBrand } from './brand/set-brand.ts';
import type { AccountCommand, ActRefusal, ChangeRefusal, NoOutcome, Refusal } from './command.ts';
import { createEdge, linkEdge } from './edges/create.ts';
import { joinEdge } from './edges/join.ts';
import { revokeEdge } from './edges/revoke.ts';
import { forgetEvents } from './events/forget-events.ts';
import { judgeUsable } from './events/judge-usable.ts';
import { beginVerification } from './ledger/verify.ts';
import { endAlarm, raiseAlarm } from './mail/alarms.ts';
import { chooseMail, stopMail } from './mail/choose.ts';
import { endTry, takeMails } from './mail/outbox.ts';
import { creditReseller } from './money/credit.ts';
import { forgiveDebt } from './money/forgive-debt.ts';
import { giveBalance, takeBalance } from './money/give-take.ts';
import { postUsage } from './money/post-usage.ts';
import { setPrice } from './money/set-price.ts';
import { createOperatorToken, endOperatorToken } from './operators/tokens.ts';
import { askPaymentRead } from './payments/ask-read.ts';
import { beginPaymentRead } from './payments/begin-read.ts';
import { createTopUp } from './payments/create.ts';
import { recordPaymentRead } from './payments/record-read.ts';
import { acceptInvitation } from './people/accept-invitation.ts';
import { claim, makeClaim } from './people/claim.ts';
import { removeCodes, setCodes, setRecoveryCodes } from './people/codes.ts';
import { endAllSessions } from './people/end-all-sessions.ts';
import { endSessions } from './people/end-sessions.ts';
import { invitePerson } from './people/invite.ts';
import { lockPerson, unlockPerson } from './people/lock.ts';
import { forgotPassword, usePasswordLink } from './people/new-password.ts';
import { addPasskey, removePasskey, renamePasskey } from './people/passkeys.ts';
import { removePerson } from './people/remove.ts';
import { resetPerson } from './people/reset.ts';
import { setPassword } from './people/set-password.ts';
import { setRole } from './people/set-role.ts';
import { signIn, signOut } from './people/sign-in.ts';
import { countTry, recordFailure, returnTry } from './people/tries.ts';
import type { CallersRefusal, Done, PersonDecision, PersonRefusal, PersonVerb } from './person-verb.ts';
import { allowSignIn } from './resellers/allow-sign-in.ts';
import { createReseller } from './resellers/create.ts';
import { setLowBalance } from './resellers/set-low-balance.ts';
import { noteReseller } from './resellers/set-note.ts';
import { resumeReseller, suspendReseller } from './resellers/suspend.ts';
import { createSubUser } from './sub-users/create.ts';
import { createSubUserWith } from './sub-users/create-with.ts';
import { deleteSubUser } from './sub-users/delete.ts';
import { resetAuthKey } from './sub-users/reset-auth-key.ts';
import { setLimits } from './sub-users/set-limits.ts';
import { setNote } from './sub-users/set-note.ts';
import { setSignInIps } from './sub-users/set-sign-in-ips.ts';
import { showAuthKey } from './sub-users/show-auth-key.ts';
import { resumeSubUser, suspendSubUser } from './sub-users/suspend.ts';
import { createToken, endToken } from './tokens/further.ts';
import { revokeToken, rotateToken } from './tokens/rotate-revoke.ts';
import { correctUsage } from './usage/correct.ts';
import { importUsage } from './usage/import.ts';
import type { Decision, Verb } from './verb.ts';
import { createWebhook } from './webhooks/create.ts';
import { deleteWebhook } from './webhooks/delete.ts';
import { pauseWebhooks, resumeWebhooks } from './webhooks/of-copies.ts';
import { rotateWebhookSecret } from './webhooks/rotate-secret.ts';
import { switchOffWebhook } from './webhooks/switch-off.ts';
import { testWebhook } from './webhooks/test.ts';
import { updateWebhook } from './webhooks/update.ts';

/** All verbs that change accounts. This list and `PERSON_VERBS` are the only ones of verbs. */
const VERBS = {
	give_balance: giveBalance,
	take_balance: takeBalance,
	create_sub_user: createSubUser,
	create_sub_user_with: createSubUserWith,
	reset_auth_key: resetAuthKey,
	suspend_sub_user: suspendSubUser,
	resume_sub_user: resumeSubUser,
	set_limits: setLimits,
	set_note: setNote,
	set_sign_in_ips: setSignInIps,
	delete_sub_user: deleteSubUser,
	create_reseller: createReseller,
	credit_reseller: creditReseller,
	suspend_reseller: suspendReseller,
	resume_reseller: resumeReseller,
	note_reseller: noteReseller,
	allow_sign_in_by_address: allowSignIn,
	set_price: setPrice,
	forgive_debt: forgiveDebt,
	create_top_up: createTopUp,
	ask_payment_read: askPaymentRead,
	begin_payment_read: beginPaymentRead,
	record_payment_read: recordPaymentRead,
	post_usage: postUsage,
	judge_usable: judgeUsable,
	forget_events: forgetEvents,
	rotate_token: rotateToken,
	revoke_token: revokeToken,
	create_token: createToken,
	end_token: endToken,
	create_webhook: createWebhook,
	update_webhook: updateWebhook,
	delete_webhook: deleteWebhook,
	rotate_webhook_secret: rotateWebhookSecret,
	test_webhook: testWebhook,
	switch_off_webhook: switchOffWebhook,
};

/** All verbs that change people, their mails, edges, the brand, corrections of bandwidth, and which verifications there are. */
const PERSON_VERBS = {
	invite_person: invitePerson,
	reset_person: resetPerson,
	lock_person: lockPerson,
	unlock_person: unlockPerson,
	remove_person: removePerson,
	set_role: setRole,
	end_all_sessions: endAllSessions,
	make_claim: makeClaim,
	claim,
	accept_invitation: acceptInvitation,
	count_try: countTry,
	return_try: returnTry,
	record_failure: recordFailure,
	sign_in: signIn,
	sign_out: signOut,
	set_password: setPassword,
	forgot_password: forgotPassword,
	use_password_link: usePasswordLink,
	set_codes: setCodes,
	remove_codes: removeCodes,
	set_recovery_codes: setRecoveryCodes,
	add_passkey: addPasskey,
	rename_passkey: renamePasskey,
	remove_passkey: removePasskey,
	end_sessions: endSessions,
	set_low_balance: setLowBalance,
	show_auth_key: showAuthKey,
	choose_mail: chooseMail,
	stop_mail: stopMail,
	take_mails: takeMails,
	end_try: endTry,
	raise_alarm: raiseAlarm,
	end_alarm: endAlarm,
	begin_verification: beginVerification,
	create_edge: createEdge,
	link_edge: linkEdge,
	join_edge: joinEdge,
	revoke_edge: revokeEdge,
	correct_usage: correctUsage,
	import_usage: importUsage,
	create_operator_token: createOperatorToken,
	end_operator_token: endOperatorToken,
	set_brand: setBrand,
	pause_webhooks: pauseWebhooks,
	resume_webhooks: resumeWebhooks,
};

type Verbs = typeof VERBS;
type CommandKind = keyof Verbs;

/** Only these commands change accounts. */
export type Command = { [Kind in CommandKind]: Parameters<Verbs[Kind]['decide']>[1] }[CommandKind];

/** What resellers change. */
export type ChangeCommand = WithChangeId<Command>;

/** Commands about webhooks. */
export type AnyWebhookCommand = Extract<Command, { readonly kind: `${string}_webhook${string}` }>;
type WithChangeId<C> = C extends unknown ? ('changeId' extends keyof C ? C : never) : never;

type DecidedOutcome<C extends Command> = ReturnType<Verbs[C['kind']]['decide']>['outcome'];
type RefusalOfVerb<C extends Command> = Extract<DecidedOutcome<C>, { readonly ok: false }>['error'];
type IsChange<C> = C extends unknown ? ('changeId' extends keyof C ? true : false) : never;
type RefusalOfChange<C> = true extends IsChange<C> ? ChangeRefusal | 'suspended' : never;
type RefusalOfAct<C> = C extends unknown ? ('act' extends keyof C ? ActRefusal : never) : never;

/** Why a command is refused. If it has no act, no act is refused; if it has no id, it repeats nothing. */
export type RefusalReason<C extends Command = Command> =
	| RefusalOfVerb<C>
	| NoOutcome
	| RefusalOfAct<C>
	| RefusalOfChange<C>;

/** The outcome of a command: the answer of its verb, or a refusal. */
export type OutcomeOf<C extends Command> =
	| Extract<DecidedOutcome<C>, { readonly ok: true }>
	| Refusal<RefusalReason<C>>;
export type Outcome = OutcomeOf<Command>;

/** The same commands, if no person on the dashboard gives them. */
export type WithoutAct<C extends Command> = C extends unknown ? Omit<C, 'act'> : never;

type AnyVerb = Verb<AccountCommand, Extract<Outcome, { readonly ok: true }>, RefusalReason>;

export function verbOf({ kind }: Pick<Command, 'kind'>): AnyVerb {
	return VERBS[kind] as unknown as AnyVerb;
}

/** A decision on any command. */
export type AnyDecision = Decision<Extract<Outcome, { readonly ok: true }>, RefusalReason>;

type PersonVerbs = typeof PERSON_VERBS;

/** Only these commands change people and what goes with them. */
export type PersonCommand = {
	[Kind in keyof PersonVerbs]: Parameters<PersonVerbs[Kind]['decide']>[1];
}[keyof PersonVerbs];

type DecidedPerson<C extends PersonCommand> = ReturnType<PersonVerbs[C['kind']]['decide']>['outcome'];

type ReasonOf<C extends PersonCommand> = Extract<DecidedPerson<C>, { readonly ok: false }>['error'];
/** The commands that operators give, and owners of a reseller some of them. */
type CallersKind = KindWith<PersonCommand, 'by'>;
type KindWith<C extends PersonCommand, Key extends string> = C extends unknown
	? Key extends keyof C
		? C['kind']
		: never
	: never;

/** Why a command about people is refused. A command that has no caller cannot be refused because of its caller. */
export type PersonRefusalReason<C extends PersonCommand = PersonCommand> = NoOutcome | RefusalOfPerson<C>;
type RefusalOfPerson<C extends PersonCommand> = C extends unknown
	? 'by' extends keyof C
		? ReasonOf<C>
		: C['kind'] extends CallersKind
			? Exclude<ReasonOf<C>, CallersRefusal>
			: ReasonOf<C>
	: never;

/** The outcome of a command about people: the answer of its verb, or a refusal. */
export type PersonOutcomeOf<C extends PersonCommand> =
	| Extract<DecidedPerson<C>, { readonly ok: true }>
	| PersonRefusal<PersonRefusalReason<C>>;
export type PersonOutcome = PersonOutcomeOf<PersonCommand>;

type PersonAnswer = Extract<PersonOutcome, Done>;
type AnyPersonVerb = PersonVerb<PersonCommand, PersonAnswer, PersonRefusalReason>;

export function personVerbOf({ kind }: Pick<PersonCommand, 'kind'>): AnyPersonVerb {
	return PERSON_VERBS[kind] as unknown as AnyPersonVerb;
}

/** A decision on any command about people. */
export type AnyPersonDecision = PersonDecision<PersonAnswer, PersonRefusalReason>;
