import type { SubUserLimits } from '../life-schemas.ts';
import type { Bound, EndedSubUser, Gift, NewPair, Overview, PricePerGb, SubUserDetails } from './business-shapes.ts';
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
	Presence,
} from './shapes.ts';

/** Every change that a page asks for carries an id that the page has made (a UUID). A repeated id changes nothing. */
interface WithAct {
	readonly act: string;
}

/** What the pages change, with POST. Bodies and answers are JSON, and answers are in the envelope. */
export interface DashboardChanges {
	/** Answers `code_required` if the password is right, but a code is needed too. */
	'/sign-in': {
		body: { readonly email: string; readonly password: string; readonly code?: string };
		answer: Presence;
	};
	'/sign-in/passkey/question': { body: Record<never, never>; answer: PasskeyQuestion };
	'/sign-in/passkey': { body: { readonly response: PasskeyAnswer }; answer: Presence };
	'/sign-out': { body: Record<never, never>; answer: Presence };

	/** Whose link this is. Changes nothing. */
	'/invitation': { body: { readonly link: string }; answer: InvitedPerson };
	/**
	 * Uses the link, and signs in. `password` is absent for a link that only signs in, `email` is given only for one that
	 * claims the service.
	 */
	'/invitation/accept': {
		body: { readonly link: string; readonly email?: string; readonly password?: string };
		answer: Presence;
	};

	/** Proves who is there. The session gets a new cookie. */
	'/proof': { body: { readonly password: string; readonly code?: string }; answer: Presence };
	'/proof/passkey/question': { body: Record<never, never>; answer: PasskeyQuestion };
	'/proof/passkey': { body: { readonly response: PasskeyAnswer }; answer: Presence };

	/** Ends all other sessions. */
	'/account/password': { body: WithAct & { readonly password: string }; answer: Account };
	/** A new secret for one-time codes. It counts once a first code of it was accepted. */
	'/account/codes/setup': { body: Record<never, never>; answer: CodesSetup };
	/** `setup` is the answer of the previous call. `recovery_codes` is empty if the person has some already. */
	'/account/codes': {
		body: WithAct & { readonly setup: string; readonly code: string };
		answer: NewRecoveryCodes;
	};
	'/account/codes/remove': { body: WithAct; answer: Account };
	'/account/recovery-codes': { body: WithAct; answer: NewRecoveryCodes };
	'/account/passkeys/question': { body: Record<never, never>; answer: PasskeyQuestion };
	'/account/passkeys': {
		body: WithAct & { readonly name: string; readonly response: PasskeyAnswer };
		answer: NewRecoveryCodes;
	};
	'/account/passkeys/rename': { body: WithAct & { readonly id: string; readonly name: string }; answer: Account };
	'/account/passkeys/remove': { body: WithAct & { readonly id: string }; answer: Account };
	/** Ends one of the person's sessions. This one ends like with `/sign-out`. */
	'/account/sessions/end': { body: WithAct & { readonly id: string }; answer: Account };
	/** Ends all sessions of the person but this one. */
	'/account/sessions/end-others': { body: WithAct; answer: Account };

	'/account/mail/choose': {
		body: WithAct & { readonly mail: MailKind; readonly wanted: boolean };
		answer: MailChoices;
	};
	/** What the link of a mail stops. Changes nothing. `link` is the query of its address. */
	'/mail/link': { body: { readonly link: string }; answer: StoppedMail };
	/** Stops these mails to this person. Nobody needs to be signed in, and a repeat changes nothing. */
	'/mail/stop': { body: { readonly link: string }; answer: StoppedMail };

	/** Makes a new token. The previous one lives on for the overlap: 0, 60 or 240 seconds. */
	'/token/rotate': { body: WithAct & { readonly overlap_seconds: 0 | 60 | 240 }; answer: NewToken };
	/** Ends every token now, and makes a new one. */
	'/token/end-all': { body: WithAct; answer: NewToken };

	/** Below this balance, in USD cents, the overview warns. `null`: it never does. */
	'/overview/low-balance': { body: WithAct & Bound; answer: Overview };
	/** Costs 0.10 USD, even if the name is taken. */
	'/sub-users/create': { body: WithAct & { readonly username: string }; answer: NewPair };
	'/sub-users/give': { body: WithAct & Gift; answer: SubUserDetails };
	'/sub-users/take': { body: WithAct & Gift; answer: SubUserDetails };
	/** Shows the proxy auth key of a sub-user, or the reseller's own. It is recorded that it was shown. */
	'/sub-users/show-key': { body: WithAct & { readonly username: string }; answer: NewPair };
	/**
	 * Shows the proxy auth keys of up to `KEYS_AT_ONCE` sub-users, in the order of their names in the body. Names of others,
	 * and those that do not exist any more, are left out. One act records all names that are shown.
	 */
	'/sub-users/show-keys': {
		body: WithAct & { readonly usernames: readonly string[] };
		answer: { readonly keys: readonly Pick<NewPair, 'username' | 'proxy_authkey'>[] };
	};
	/** Makes a new proxy auth key. The previous one ends within seconds. */
	'/sub-users/reset-key': { body: WithAct & { readonly username: string }; answer: NewPair };
	/** The pair of a suspended sub-user is refused within seconds. Its balance stays. */
	'/sub-users/suspend': { body: WithAct & { readonly username: string }; answer: SubUserDetails };
	'/sub-users/resume': { body: WithAct & { readonly username: string }; answer: SubUserDetails };
	/** `null` removes a limit. One that is absent stays as it is. */
	'/sub-users/limits': {
		body: WithAct & { readonly username: string; readonly limits: Partial<SubUserLimits> };
		answer: SubUserDetails;
	};
	/** At most `MAX_NOTE_CHARACTERS` in one line. Empty: no note. */
	'/sub-users/note': {
		body: WithAct & { readonly username: string; readonly note: string };
		answer: SubUserDetails;
	};
	/** Its balance goes back to the reseller. Its name is never given again, and its past stays. */
	'/sub-users/delete': { body: WithAct & { readonly username: string }; answer: EndedSubUser };

	/** Invites a colleague, or makes a new link, also with another role, for one who has never set a password. */
	'/team/invite': { body: WithAct & { readonly email: string; readonly role: Role }; answer: InvitationLink };
	/** Gives a colleague another role. It counts at once, also in sessions that are open. */
	'/team/role': { body: WithAct & { readonly email: string; readonly role: Role }; answer: Team };
	/** Removes a colleague with all sessions, factors and links. What the person did stays recorded. */
	'/team/remove': { body: WithAct & { readonly email: string }; answer: Team };

	'/operator/resellers/create': {
		body: WithAct & { readonly reseller: string; readonly opening_balance: number };
		answer: NewReseller;
	};
	/** Adds a payment to a balance. A reference counts once: a repeat with the same amount moves nothing, and says so. */
	'/operator/top-up': { body: WithAct & Payment; answer: PaymentOutcome };
	/** Takes money back. */
	'/operator/adjust': { body: WithAct & Payment; answer: PaymentOutcome };
	/** Sets what a GB costs the accounts of a reseller from now on. `debt_line`, in USD cents: if absent, it stays. */
	'/operator/price': {
		body: WithAct & { readonly reseller: string; readonly price: PricePerGb; readonly debt_line?: number };
		answer: ResellerDetails;
	};
	/** Takes from what a reseller owes, without a payment. */
	'/operator/forgive-debt': {
		body: WithAct & { readonly reseller: string; readonly amount: number; readonly reason: string };
		answer: ResellerDetails;
	};
	'/operator/end-tokens': { body: WithAct & { readonly reseller: string }; answer: NewReseller };
	/** The reseller changes nothing any more, and its pairs and those of its sub-users are refused. */
	'/operator/suspend': { body: WithAct & { readonly reseller: string }; answer: ResellerDetails };
	'/operator/resume': { body: WithAct & { readonly reseller: string }; answer: ResellerDetails };
	/** Invites a new person, or makes a new link for one who has never set a password. Both are `null` for an operator. */
	'/operator/people/invite': {
		body: WithAct & { readonly email: string; readonly reseller: string | null; readonly role: Role | null };
		answer: InvitationLink;
	};
	/** Ends all sessions of a person, who then cannot sign in. */
	'/operator/people/lock': { body: WithAct & { readonly email: string }; answer: Record<never, never> };
	'/operator/people/unlock': { body: WithAct & { readonly email: string }; answer: Record<never, never> };
	/** Removes the password and all second factors, ends all sessions, and makes a new link. */
	'/operator/people/reset': { body: WithAct & { readonly email: string }; answer: InvitationLink };
	/** Removes a person with all sessions, factors and links. What the person did stays recorded, with the address. */
	'/operator/people/remove': { body: WithAct & { readonly email: string }; answer: Record<never, never> };
	/**
	 * Makes an edge, or takes a revoked one back, with a link by which its host gives it a key. It replaces a link that was
	 * not used. Refused with `no_edge_url` if `EdgeList.edge_url` is `null`.
	 */
	'/operator/edges/link': { body: WithAct & { readonly name: string }; answer: NewEdgeLink };
	/** Makes an edge, or gives a revoked one a new key. */
	'/operator/edges/create': { body: WithAct & { readonly name: string }; answer: NewEdge };
	/** Ends the key of an edge. Within seconds it is refused everywhere. */
	'/operator/edges/revoke': { body: WithAct & { readonly name: string }; answer: Record<never, never> };
	/**
	 * Adds bytes to a UTC day of an account, or takes them away. It moves no money. A reference counts once: a repeat with
	 * the same content changes nothing, and says so.
	 */
	'/operator/usage/correct': { body: WithAct & DayCorrection; answer: DayCorrectionOutcome };
	/** Begins to verify the ledger, if no verification runs. */
	'/operator/ledger/verify': { body: WithAct; answer: LedgerHealth };
}

/** A change of the password, of a factor, of the tokens, many keys at once, and what operators do to money, people, edges and bandwidth. */
export type ProvenChange = (typeof PROVEN_CHANGES)[number];

const PROVEN_CHANGES = [
	'/account/password',
	'/account/codes/setup',
	'/account/codes',
	'/account/codes/remove',
	'/account/recovery-codes',
	'/account/passkeys/question',
	'/account/passkeys',
	'/account/passkeys/remove',
	'/sub-users/show-keys',
	'/token/rotate',
	'/token/end-all',
	'/team/invite',
	'/team/role',
	'/team/remove',
	'/operator/resellers/create',
	'/operator/top-up',
	'/operator/adjust',
	'/operator/price',
	'/operator/forgive-debt',
	'/operator/end-tokens',
	'/operator/suspend',
	'/operator/resume',
	'/operator/people/invite',
	'/operator/people/lock',
	'/operator/people/unlock',
	'/operator/people/reset',
	'/operator/people/remove',
	'/operator/edges/link',
	'/operator/edges/create',
	'/operator/edges/revoke',
	'/operator/usage/correct',
] as const satisfies readonly (keyof DashboardChanges)[];

/** Whether the change needs a proof of the last five minutes. */
export function needsProof(path: keyof DashboardChanges): boolean {
	return (PROVEN_CHANGES as readonly string[]).includes(path);
}
