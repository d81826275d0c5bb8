import type { DayRange } from '../../format/days.ts';

/** The addresses of a statement: of this reseller, for an operator; otherwise of the reseller of the person. */
export function statementPaths(reseller: string | undefined) {
	const ofReseller = reseller === undefined ? undefined : `/resellers/${encodeURIComponent(reseller)}`;
	return {
		list: (range: DayRange = {}) => (ofReseller ?? '/statement') + queryOf(range),
		months: ofReseller === undefined ? '/statement/months' : `${ofReseller}/months`,
		print: (range: DayRange = {}) =>
			(ofReseller === undefined ? '/statement/print' : `${ofReseller}/print`) + queryOf(range),
	};
}

function queryOf({ from, to }: DayRange): string {
	const query = new URLSearchParams({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
	return query.size === 0 ? '' : `?${query}`;
}
