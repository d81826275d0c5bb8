/** What the people of a reseller may do there: owners everything, managers all but people and tokens, viewers only read. */
export const ROLES = ['owner', 'manager', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Whom an act invited, or gave a role, and which: a `target`, like `ann@acme.example viewer`. Operators have no role. */
export function roleTarget(email: string, role: Role | null): string {
	return role === null ? email : `${email} ${role}`;
}

/** Reads what `roleTarget` wrote, also of a time before roles. */
export function readRoleTarget(target: string): { readonly email: string; readonly role: Role | null } {
	const role = ROLES.find((each) => target.endsWith(` ${each}`)) ?? null;
	return { email: role === null ? target : target.slice(0, -role.length - 1), role };
}
