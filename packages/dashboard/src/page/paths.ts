// The addresses of pages to which several features lead.

/** A reseller, for operators. */
export function resellerPath(reseller: string): string {
	return `/resellers/${encodeURIComponent(reseller)}`;
}

/** The sub-users of a reseller, for operators. */
export function resellerSubUsersPath(reseller: string): string {
	return `${resellerPath(reseller)}/sub-users`;
}

/** A sub-user of a reseller, or what is left of it, for operators. */
export function resellerSubUserPath(reseller: string, username: string): string {
	return `${resellerSubUsersPath(reseller)}/${encodeURIComponent(username)}`;
}
