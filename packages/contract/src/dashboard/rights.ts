import type { DashboardChanges } from './changes.ts';
import type { DashboardFiles, DashboardReads } from './reads.ts';
import { ROLES, type Role } from './roles.ts';
import type { PresentPerson } from './shapes.ts';

/** Who may make a call. */
export type Right =
	/** Everybody, signed in or not. */
	| 'anyone'
	/** Whoever is signed in, also an operator who has no second factor yet, and is about to add one. */
	| 'factors'
	/** Whoever is signed in. */
	| 'signed_in'
	/** All people of a reseller, for this reseller. */
	| 'read'
	/** Its owners and managers. They also see proxy auth keys. */
	| 'change'
	/** Its owners. */
	| 'administer'
	/** Operators. */
	| 'operate';

const ROLES_WITH: Readonly<Record<'read' | 'change' | 'administer', readonly Role[]>> = {
	read: ROLES,
	change: ['owner', 'manager'],
	administer: ['owner'],
};

type CallPath = keyof (DashboardReads & DashboardFiles & DashboardChanges);

/** Who may make each call. The service checks it twice: before the call, and when a change is decided. */
export const CALL_RIGHTS = {
	'/session': 'anyone',
	'/sign-in': 'anyone',
	'/sign-in/passkey/question': 'anyone',
	'/sign-in/passkey': 'anyone',
	'/sign-out': 'anyone',
	'/invitation': 'anyone',
	'/invitation/accept': 'anyone',
	'/mail/link': 'anyone',
	'/mail/stop': 'anyone',

	'/proof': 'factors',
	'/proof/passkey/question': 'factors',
	'/proof/passkey': 'factors',
	'/account': 'factors',
	'/account/codes/setup': 'factors',
	'/account/codes': 'factors',
	'/account/codes/remove': 'factors',
	'/account/passkeys/question': 'factors',
	'/account/passkeys': 'factors',
	'/account/passkeys/rename': 'factors',
	'/account/passkeys/remove': 'factors',
	'/account/acts': 'signed_in',
	'/account/mail': 'signed_in',
	'/account/mail/choose': 'signed_in',
	'/account/password': 'signed_in',
	'/account/recovery-codes': 'signed_in',
	'/account/sessions/end': 'signed_in',
	'/account/sessions/end-others': 'signed_in',
	'/proxy-access': 'signed_in',

	'/token': 'read',
	'/search': 'read',
	'/suspension': 'read',
	'/overview': 'read',
	'/metering': 'read',
	'/bandwidth': 'read',
	'/bandwidth/top': 'read',
	'/bandwidth.csv': 'read',
	'/sub-users': 'read',
	'/sub-users/count': 'read',
	'/sub-users/states': 'read',
	'/sub-users/name': 'read',
	'/sub-users.csv': 'read',
	'/sub-user': 'read',
	'/deleted-sub-user': 'read',
	'/statement': 'read',
	'/statement/periods': 'read',
	'/statement/lines': 'read',
	'/statement.csv': 'read',

	'/overview/low-balance': 'change',
	'/sub-users/create': 'change',
	'/sub-users/give': 'change',
	'/sub-users/take': 'change',
	'/sub-users/show-key': 'change',
	'/sub-users/show-keys': 'change',
	'/sub-users/reset-key': 'change',
	'/sub-users/suspend': 'change',
	'/sub-users/resume': 'change',
	'/sub-users/limits': 'change',
	'/sub-users/note': 'change',
	'/sub-users/delete': 'change',

	'/team': 'read',
	'/team/invite': 'administer',
	'/team/role': 'administer',
	'/team/remove': 'administer',
	'/activity': 'read',
	'/activity.csv': 'read',

	'/token/rotate': 'administer',
	'/token/end-all': 'administer',

	'/operator/search': 'operate',
	'/operator/health': 'operate',
	'/operator/money': 'operate',
	'/operator/resellers': 'operate',
	'/operator/resellers/create': 'operate',
	'/operator/reseller': 'operate',
	'/operator/sub-users': 'operate',
	'/operator/sub-user': 'operate',
	'/operator/bandwidth': 'operate',
	'/operator/statement': 'operate',
	'/operator/statement/periods': 'operate',
	'/operator/statement/lines': 'operate',
	'/operator/statement.csv': 'operate',
	'/operator/top-up': 'operate',
	'/operator/adjust': 'operate',
	'/operator/price': 'operate',
	'/operator/forgive-debt': 'operate',
	'/operator/end-tokens': 'operate',
	'/operator/suspend': 'operate',
	'/operator/resume': 'operate',
	'/operator/people': 'operate',
	'/operator/people/invite': 'operate',
	'/operator/people/lock': 'operate',
	'/operator/people/unlock': 'operate',
	'/operator/people/reset': 'operate',
	'/operator/people/remove': 'operate',
	'/operator/income': 'operate',
	'/operator/usage': 'operate',
	'/operator/usage/day': 'operate',
	'/operator/usage/correct': 'operate',
	'/operator/edges': 'operate',
	'/operator/edges/link': 'operate',
	'/operator/edges/create': 'operate',
	'/operator/edges/revoke': 'operate',
	'/operator/mail': 'operate',
	'/operator/ledger': 'operate',
	'/operator/ledger/verify': 'operate',
	'/operator/acts': 'operate',
	'/operator/acts.csv': 'operate',
} as const satisfies Record<CallPath, Right>;

type Rights = typeof CALL_RIGHTS;
/** The calls that need nobody who is signed in. */
export type OpenPath = { [Path in keyof Rights]: Rights[Path] extends 'anyone' ? Path : never }[keyof Rights];

type RightRefusal = 'not_for_operators' | 'only_for_operators' | 'not_allowed';

/** Why a person who is signed in does not have the right; `undefined` for one who has it. */
export function refusalOfRight(
	{ reseller, role }: Pick<PresentPerson, 'reseller' | 'role'>,
	right: Right,
): RightRefusal | undefined {
	switch (right) {
		case 'anyone':
		case 'factors':
		case 'signed_in':
			return undefined;
		case 'operate':
			return reseller === null ? undefined : 'only_for_operators';
		case 'read':
		case 'change':
		case 'administer':
			if (reseller === null) return 'not_for_operators';
			return role !== null && ROLES_WITH[right].includes(role) ? undefined : 'not_allowed';
	}
}
