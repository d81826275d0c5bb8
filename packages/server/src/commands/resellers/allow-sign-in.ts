import type { AccountCommand } from '../command.ts';
import { refused, type Verb } from '../verb.ts';

export interface AllowSignIn extends AccountCommand {
	readonly kind: 'allow_sign_in_by_address';
	readonly isAllowed: boolean;
}

interface Allowed {
	readonly ok: true;
	/** The reseller. */
	readonly username: string;
	readonly isAllowed: boolean;
}

/** Allows that sub-users of a reseller sign in by the address of their client, or ends it. Their addresses are kept. */
export const allowSignIn: Verb<AllowSignIn, Allowed, 'unknown_reseller'> = {
	kind: 'allow_sign_in_by_address',
	calls: ['/operator/sign-in-by-address'],
	giver: 'person',
	setsState: true,
	needs: () => ({ signIn: {} }),
	decide(books, { reseller, isAllowed }) {
		if (!books.account(reseller, reseller)) return refused('unknown_reseller');
		const outcome = { ok: true, username: reseller, isAllowed } as const;
		if (books.maySignInByAddress(reseller) === isAllowed) return { outcome, effects: [] };
		return { outcome, effects: [{ kind: 'allow_sign_in', reseller, isAllowed }] };
	},
};
