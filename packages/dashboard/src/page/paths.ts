import type { DayRange } from '../format/days.ts';

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

/** A sub-user of the reseller to which the person belongs. */
export function subUserPath(username: string): string {
	return `/sub-users/${encodeURIComponent(username)}`;
}

/** How a program connects to the proxies as a sub-user. */
export function connectPath(username: string): string {
	return `/connect${queryOf({ sub_user: username })}`;
}

/** What was done with a sub-user. */
export function activityOfPath(username: string): string {
	return `/activity${queryOf({ sub_user: username })}`;
}

/** The webhooks of a reseller, for operators. */
export function resellerWebhooksPath(reseller: string): string {
	return `/webhooks${queryOf({ search: reseller })}`;
}

/** A payment of the reseller through a provider. */
export function topUpPath(id: string): string {
	return `/top-ups/${encodeURIComponent(id)}`;
}

/** The same for operators. */
export function paymentPath(id: string): string {
	return `/payments/${encodeURIComponent(id)}`;
}

/** The payments of a reseller through providers, for operators. */
export function resellerPaymentsPath(reseller: string): string {
	return `/payments${queryOf({ reseller })}`;
}

/** The addresses of a statement: of this reseller, for an operator; otherwise of the reseller of the person. */
export function statementPaths(reseller: string | undefined) {
	const ofReseller = reseller === undefined ? undefined : resellerPath(reseller);
	return {
		list: (filter: DayRange & { readonly reference?: string } = {}) => (ofReseller ?? '/statement') + queryOf(filter),
		months: ofReseller === undefined ? '/statement/months' : `${ofReseller}/months`,
		print: (range: DayRange = {}) =>
			(ofReseller === undefined ? '/statement/print' : `${ofReseller}/print`) + queryOf(range),
	};
}

function queryOf(
	values: DayRange | { readonly search: string } | { readonly reseller: string } | { readonly sub_user: string },
): string {
	const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined));
	return query.size === 0 ? '' : `?${query}`;
}
