/** What the people of a reseller may do: owners everything, managers all but people, tokens and webhooks, viewers only read. */
export const ROLES = ['owner', 'manager', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The `target` of an act about a role: the person who was invited, or got another role, and the role, like
 * `ann@acme.example viewer`. Operators have no role.
 */
export function roleTarget(email: string, role: Role | null): string {
	return role === null ? email : `${email} ${role}`;
}

/** Reads a target that `roleTarget` wrote, also one from before there were roles. */
export function readRoleTarget(target: string): { readonly email: string; readonly role: Role | null } {
	const role = ROLES.find((each) => target.endsWith(` ${each}`)) ?? null;
	return { email: role === null ? target : target.slice(0, -role.length - 1), role };
}
