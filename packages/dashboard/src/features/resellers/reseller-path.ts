/** The address of the page of a reseller. */
export function resellerPath(reseller: string): string {
	return `/resellers/${encodeURIComponent(reseller)}`;
}
