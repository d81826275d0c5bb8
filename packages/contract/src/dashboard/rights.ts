import { ROLES, type Role } from './roles.ts';
import type { PresentPerson } from './shapes.ts';

/** The right that a call needs. */
export type Right =
	/** All people, signed in or not. */
	| 'anyone'
	/** Each person who is signed in, also an operator who has no second factor yet and is about to add one. */
	| 'factors'
	/** Each person who is signed in. */
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
