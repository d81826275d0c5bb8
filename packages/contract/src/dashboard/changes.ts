import type { EventType } from '../events.ts';
import type { OperatorTopUp, TopUp } from '../payment-schemas.ts';
import type { PaymentProviderName } from '../payments.ts';
import type { SubUserLimits } from '../terms-schemas.ts';
import type { BrandChange, BrandSettings } from './brand-shapes.ts';
import type {
	Bound,
	EndedSubUser,
	Gift,
	KnownNames,
	NewPair,
	NewTerms,
	Overview,
	PricePerGb,
	SubUserDetails,
} from './business-shapes.ts';
import { type CallTypes, change, PROOF } from './call.ts';
import type { MailChoices, MailKind, StoppedMail } from './mail-shapes.ts';
import type {
	DayCorrection,
	DayCorrectionOutcome,
	InvitationLink,
	LedgerHealth,
	NewEdge,
	NewEdgeLink,
	NewReseller,
	Payment,
	PaymentOutcome,
	ResellerDetails,
	Team,
} from './operator-shapes.ts';
import type { Role } from './roles.ts';
import type {
	Account,
	CodesSetup,
	InvitedPerson,
	NewRecoveryCodes,
	NewToken,
	PasskeyAnswer,
	PasskeyQuestion,
	PasswordLink,
	Presence,
} from './shapes.ts';
import type { NewNamedToken } from './token-shapes.ts';
import type { NewWebhook, NewWebhookSecret } from './webhook-shapes.ts';

/** Every change that a page asks for carries an id that the page has made (a UUID). A repeated id changes nothing. */
interface WithAct {
	readonly act: string;
}

/** The changes that pages make, with POST. Bodies and answers are JSON, and answers are in the envelope. */
export const CHANGES = {
	/** Answers `code_required` if the password is right, but a code is needed too. */
	'/sign-in': change('anyone')<
		{ readonly email: string; readonly password: string; readonly code?: string },
		Presence
	>(),
	'/sign-in/passkey/question': change('anyone')<Record<never, never>, PasskeyQuestion>(),
	'/sign-in/passkey': change('anyone')<{ readonly response: PasskeyAnswer }, Presence>(),
	'/sign-out': change('anyone')<Record<never, never>, Presence>(),

	/** The person and the kind of a link. Changes nothing. */
	'/invitation': change('anyone')<{ readonly link: string }, InvitedPerson>(),
	/**
	 * Uses the link, and signs in. `password` is absent for a link that only signs in, `email` is given only for one that
	 * claims the service.
	 */
	'/invitation/accept': change('anyone')<
		{ readonly link: string; readonly email?: string; readonly password?: string },
		Presence
	>(),

	/**
	 * Mails a link for a new password to the person with this address, if there is one who can sign in. The answer is the same
	 * for each address. `mail_off` if the service sends no mail.
	 */
	'/password/forgot': change('anyone')<{ readonly email: string }, Record<never, never>>(),
	/** Whose link of `/password/forgot` it is. Changes nothing. */
	'/password/link': change('anyone')<{ readonly link: string }, PasswordLink>(),
	/** Uses the link: sets the password, ends all sessions, and signs in nobody. Second factors stay. */
	'/password/new': change('anyone')<{ readonly link: string; readonly password: string }, Record<never, never>>(),

	/** Proves the person's identity. The session gets a new cookie. */
	'/proof': change('factors')<{ readonly password: string; readonly code?: string }, Presence>(),
	'/proof/passkey/question': change('factors')<Record<never, never>, PasskeyQuestion>(),
	'/proof/passkey': change('factors')<{ readonly response: PasskeyAnswer }, Presence>(),

	/** Ends all other sessions. */
	'/account/password': change('signed_in', PROOF)<WithAct & { readonly password: string }, Account>(),
	/** A new secret for one-time codes. It is used from its first accepted code on. */
	'/account/codes/setup': change('factors', PROOF)<Record<never, never>, CodesSetup>(),
	/** `setup` is the answer of the previous call. `recovery_codes` is empty if the person has some already. */
	'/account/codes': change('factors', PROOF)<
		WithAct & { readonly setup: string; readonly code: string },
		NewRecoveryCodes
	>(),
	'/account/codes/remove': change('factors', PROOF)<WithAct, Account>(),
	'/account/recovery-codes': change('signed_in', PROOF)<WithAct, NewRecoveryCodes>(),
	'/account/passkeys/question': change('factors', PROOF)<Record<never, never>, PasskeyQuestion>(),
	'/account/passkeys': change('factors', PROOF)<
		WithAct & { readonly name: string; readonly response: PasskeyAnswer },
		NewRecoveryCodes
	>(),
	'/account/passkeys/rename': change('factors')<WithAct & { readonly id: string; readonly name: string }, Account>(),
	'/account/passkeys/remove': change('factors', PROOF)<WithAct & { readonly id: string }, Account>(),
	/** Ends one of the person's sessions. This one ends like with `/sign-out`. */
	'/account/sessions/end': change('signed_in')<WithAct & { readonly id: string }, Account>(),
	/** Ends all sessions of the person but this one. */
	'/account/sessions/end-others': change('signed_in')<WithAct, Account>(),

	'/account/mail/choose': change('signed_in')<
		WithAct & { readonly mail: MailKind; readonly wanted: boolean },
		MailChoices
	>(),
	/** The mails that the link of a mail stops. Changes nothing. `link` is the query of its address. */
	'/mail/link': change('anyone')<{ readonly link: string }, StoppedMail>(),
	/** Stops these mails to this person. It needs no session, and a repeat changes nothing. */
	'/mail/stop': change('anyone')<{ readonly link: string }, StoppedMail>(),

	/** Makes a new token. The previous one lives on for the overlap: 0, 60 or 240 seconds. */
	'/token/rotate': change('administer', PROOF)<WithAct & { readonly overlap_seconds: 0 | 60 | 240 }, NewToken>(),
	/** Ends every token now, and makes a new one. */
	'/token/end-all': change('administer', PROOF)<WithAct, NewToken>(),
	/** Makes a further token. `allowed_ips` is `null` for one that may be used from anywhere. */
	'/tokens/create': change('administer', PROOF)<
		WithAct & {
			readonly name: string;
			readonly scopes: readonly string[];
			readonly expires_at: string;
			readonly allowed_ips: readonly string[] | null;
		},
		NewNamedToken
	>(),
	'/tokens/end': change('administer', PROOF)<WithAct & { readonly id: string }, Record<never, never>>(),

	/** Makes a webhook, which begins behind the newest event. `types` is `null` for all. */
	'/webhooks/create': change('administer', PROOF)<
		WithAct & { readonly url: string; readonly types: readonly EventType[] | null },
		NewWebhook
	>(),
	/**
	 * What is absent stays. A webhook that is switched on again goes on where it stood, or behind the event with the number
	 * `reached`.
	 */
	'/webhooks/update': change('administer', PROOF)<
		WithAct & {
			readonly id: string;
			readonly url?: string;
			readonly types?: readonly EventType[] | null;
			readonly enabled?: boolean;
			readonly reached?: number;
		},
		Record<never, never>
	>(),
	/** Deletes a webhook with its secrets and its tries. */
	'/webhooks/delete': change('administer', PROOF)<WithAct & { readonly id: string }, Record<never, never>>(),
	/** Makes a new secret. The previous one signs too for 24 hours. */
	'/webhooks/rotate-secret': change('administer', PROOF)<WithAct & { readonly id: string }, NewWebhookSecret>(),
	/** Asks for a test event, which is sent soon, and once. */
	'/webhooks/test': change('administer', PROOF)<WithAct & { readonly id: string }, Record<never, never>>(),

	/**
	 * Below this balance, in USD cents, the overview warns. `null`: it never does. With `mail`, the person gets the mail about it
	 * from now on.
	 */
	'/overview/low-balance': change('change')<WithAct & Bound & { readonly mail?: true }, Overview>(),
	/** Costs 0.10 USD, even if the name is taken. The sub-user has all of `NewTerms` from the beginning, or is not created. */
	'/sub-users/create': change('change')<WithAct & { readonly username: string } & NewTerms, NewPair>(),
	/** Looks up to `NAMES_AT_ONCE` names up, before a run of many. Changes nothing: a query has no room for them. */
	'/sub-users/look': change('read')<{ readonly usernames: readonly string[] }, KnownNames>(),
	/** Begins a payment through a provider. `amount` is in USD cents. If its page is not there yet, `url` is `null`. */
	'/top-ups/create': change('change')<
		WithAct & { readonly provider: PaymentProviderName; readonly amount: number },
		TopUp
	>(),
	'/sub-users/give': change('change')<WithAct & Gift, SubUserDetails>(),
	'/sub-users/take': change('change')<WithAct & Gift, SubUserDetails>(),
	/** Shows the proxy auth key of a sub-user, or the reseller's own. An act records this. */
	'/sub-users/show-key': change('change')<WithAct & { readonly username: string }, NewPair>(),
	/**
	 * Shows the proxy auth keys of up to `KEYS_AT_ONCE` sub-users, in the order of their names in the body. Names of others,
	 * and those that do not exist any more, are left out. One act records all names that are shown.
	 */
	'/sub-users/show-keys': change('change', PROOF)<
		WithAct & { readonly usernames: readonly string[] },
		{ readonly keys: readonly Pick<NewPair, 'username' | 'proxy_authkey'>[] }
	>(),
	/** Makes a new proxy auth key. The previous one ends within seconds. */
	'/sub-users/reset-key': change('change')<WithAct & { readonly username: string }, NewPair>(),
	/** The pair of a suspended sub-user is refused within seconds. Its balance stays. */
	'/sub-users/suspend': change('change')<WithAct & { readonly username: string }, SubUserDetails>(),
	'/sub-users/resume': change('change')<WithAct & { readonly username: string }, SubUserDetails>(),
	/** `null` removes a limit. One that is absent stays as it is. */
	'/sub-users/limits': change('change')<
		WithAct & { readonly username: string; readonly limits: Partial<SubUserLimits> },
		SubUserDetails
	>(),
	/** At most `MAX_NOTE_CHARACTERS` in one line. Empty: no note. */
	'/sub-users/note': change('change')<WithAct & { readonly username: string; readonly note: string }, SubUserDetails>(),
	/** All addresses from which it signs in without a password. Empty: none. */
	'/sub-users/sign-in-ips': change('change')<
		WithAct & { readonly username: string; readonly sign_in_ips: readonly string[] },
		SubUserDetails
	>(),
	/** Its balance goes back to the reseller. Its name is never given again, and its past stays. */
	'/sub-users/delete': change('change')<WithAct & { readonly username: string }, EndedSubUser>(),

	/** Invites a colleague, or makes a new link, also with another role, for one who has never set a password. */
	'/team/invite': change('administer', PROOF)<
		WithAct & { readonly email: string; readonly role: Role },
		InvitationLink
	>(),
	/** Gives a colleague another role. It counts at once, also in sessions that are open. */
	'/team/role': change('administer', PROOF)<WithAct & { readonly email: string; readonly role: Role }, Team>(),
	/** Removes a colleague with all sessions, factors and links. The person's acts stay recorded. */
	'/team/remove': change('administer', PROOF)<WithAct & { readonly email: string }, Team>(),

	'/operator/resellers/create': change('operate', PROOF)<
		WithAct & { readonly reseller: string; readonly opening_balance: number },
		NewReseller
	>(),
	/**
	 * Adds a payment to a balance. A reference counts once: if it is repeated with the same amount, no money moves, and the
	 * answer says so.
	 */
	'/operator/top-up': change('operate', PROOF)<WithAct & Payment, PaymentOutcome>(),
	/** Takes money back. */
	'/operator/adjust': change('operate', PROOF)<WithAct & Payment, PaymentOutcome>(),
	/** Sets what a GB costs the accounts of a reseller from now on. `debt_line`, in USD cents: if absent, it stays. */
	'/operator/price': change('operate', PROOF)<
		WithAct & { readonly reseller: string; readonly price: PricePerGb; readonly debt_line?: number },
		ResellerDetails
	>(),
	/** Reduces the debt of a reseller, without a payment. */
	'/operator/forgive-debt': change('operate', PROOF)<
		WithAct & { readonly reseller: string; readonly amount: number; readonly reason: string },
		ResellerDetails
	>(),
	/** Asks for a read of a payment at its provider, which books what is not booked yet. */
	'/operator/payments/read': change('operate')<WithAct & { readonly id: string }, OperatorTopUp>(),
	/** Makes a token for a program of the operator. */
	'/operator/tokens/create': change('operate', PROOF)<
		WithAct & { readonly name: string; readonly scopes: readonly string[]; readonly expires_at: string },
		NewNamedToken
	>(),
	'/operator/tokens/end': change('operate', PROOF)<WithAct & { readonly name: string }, Record<never, never>>(),
	/** Changes how the service looks to all people, and who sends its statements and mails. */
	'/operator/brand/set': change('operate', PROOF)<WithAct & BrandChange, BrandSettings>(),
	'/operator/end-tokens': change('operate', PROOF)<WithAct & { readonly reseller: string }, NewReseller>(),
	/** Suspends the reseller: it can change nothing, and its pairs and those of its sub-users are refused. */
	'/operator/suspend': change('operate', PROOF)<WithAct & { readonly reseller: string }, ResellerDetails>(),
	'/operator/resume': change('operate', PROOF)<WithAct & { readonly reseller: string }, ResellerDetails>(),
	/** Writes what operators note about the reseller, which does not see it. */
	'/operator/note': change('operate')<
		WithAct & { readonly reseller: string; readonly note: string },
		ResellerDetails
	>(),
	/** Whether its sub-users may sign in by address. If not, their addresses are kept, and are of no use. */
	'/operator/sign-in-by-address': change('operate', PROOF)<
		WithAct & { readonly reseller: string; readonly allowed: boolean },
		ResellerDetails
	>(),
	/** Invites a new person, or makes a new link for one who has never set a password. Both are `null` for an operator. */
	'/operator/people/invite': change('operate', PROOF)<
		WithAct & { readonly email: string; readonly reseller: string | null; readonly role: Role | null },
		InvitationLink
	>(),
	/** Ends all sessions of a person, who then cannot sign in. */
	'/operator/people/lock': change('operate', PROOF)<WithAct & { readonly email: string }, Record<never, never>>(),
	'/operator/people/unlock': change('operate', PROOF)<WithAct & { readonly email: string }, Record<never, never>>(),
	/** Removes the password and all second factors, ends all sessions, and makes a new link. */
	'/operator/people/reset': change('operate', PROOF)<WithAct & { readonly email: string }, InvitationLink>(),
	/** Removes a person with all sessions, factors and links. The person's acts stay recorded, with the address. */
	'/operator/people/remove': change('operate', PROOF)<WithAct & { readonly email: string }, Record<never, never>>(),
	/**
	 * Makes an edge, or takes a revoked one back, with a link by which its host gives it a key. It replaces a link that was
	 * not used. Refused with `no_edge_url` if `EdgeList.edge_url` is `null`.
	 */
	'/operator/edges/link': change('operate', PROOF)<WithAct & { readonly name: string }, NewEdgeLink>(),
	/** Makes an edge, or gives a revoked one a new key. */
	'/operator/edges/create': change('operate', PROOF)<WithAct & { readonly name: string }, NewEdge>(),
	/** Ends the key of an edge. Within seconds it is refused everywhere. */
	'/operator/edges/revoke': change('operate', PROOF)<WithAct & { readonly name: string }, Record<never, never>>(),
	/**
	 * Adds bytes to a UTC day of an account, or takes them away. It moves no money. A reference counts once: if it is
	 * repeated with the same content, nothing changes, and the answer says so.
	 */
	'/operator/usage/correct': change('operate', PROOF)<WithAct & DayCorrection, DayCorrectionOutcome>(),
	/** Begins to verify the ledger, if no verification runs. */
	'/operator/ledger/verify': change('operate')<WithAct, LedgerHealth>(),
};

export type DashboardChanges = CallTypes<typeof CHANGES>;

/** A change that needs a proof of the last five minutes: of the password, of a factor, of the tokens, of webhooks, many keys at once, and what operators do to money, people, edges, bandwidth and the brand. */
export type ProvenChange = {
	[Path in keyof typeof CHANGES]: (typeof CHANGES)[Path] extends { readonly proof: true } ? Path : never;
}[keyof typeof CHANGES];
