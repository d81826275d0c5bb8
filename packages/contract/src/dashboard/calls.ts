import type {
	Account,
	ActPage,
	CodesSetup,
	InvitedPerson,
	NewRecoveryCodes,
	NewToken,
	PasskeyAnswer,
	PasskeyQuestion,
	Presence,
	TokenState,
} from './shapes.ts';

/** Below this path are the calls of the dashboard's pages. */
export const DASHBOARD_API = '/dashboard/api';

/** Every change that a page asks for carries an id that the page has made (a UUID). A repeated id changes nothing. */
interface WithAct {
	readonly act: string;
}

/**
 * The calls of the dashboard's pages: `Reads` with GET, `Changes` with POST. Requests and answers are JSON, and answers
 * are in the envelope. The session cookie says who asks.
 */
export interface DashboardReads {
	/** Who is signed in. Answers also if nobody is. */
	'/session': { query: Record<never, never>; answer: Presence };
	'/account': { query: Record<never, never>; answer: Account };
	/** The person's own acts, the newest first, 50 a page; `before` is the number of the last act of the previous page. */
	'/account/acts': { query: { readonly before?: number }; answer: ActPage };
	/** The reseller's tokens. */
	'/token': { query: Record<never, never>; answer: TokenState };
}

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
	/** Uses the link, and signs in. `password` is absent for a link that only signs in. */
	'/invitation/accept': { body: { readonly link: string; readonly password?: string }; answer: Presence };

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

	/** Makes a new token. The previous one lives on for the overlap: 0, 60 or 240 seconds. */
	'/token/rotate': { body: WithAct & { readonly overlap_seconds: 0 | 60 | 240 }; answer: NewToken };
	/** Ends every token now, and makes a new one. */
	'/token/end-all': { body: WithAct; answer: NewToken };
}

/** A change of the password, of a factor or of the tokens. */
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
	'/token/rotate',
	'/token/end-all',
] as const satisfies readonly (keyof DashboardChanges)[];

/** Whether the change needs a proof of the last five minutes. */
export function needsProof(path: keyof DashboardChanges): boolean {
	return (PROVEN_CHANGES as readonly string[]).includes(path);
}
