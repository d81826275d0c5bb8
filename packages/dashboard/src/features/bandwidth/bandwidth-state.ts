import {
	type BandwidthDivision,
	type BandwidthFilter,
	type BandwidthTime,
	LAST_RANGES,
	type LastRange,
} from '@bursar/contract/dashboard';
import { USAGE_SHOWN_DAYS } from '@bursar/contract/limits';
import { choiceField, dayField, maybeChoiceField, textField, type UrlFields } from '../../lists/url-state.ts';

/** Whose bandwidth it is. Operators name a reseller, or mean all of them. */
export type Whose =
	| { readonly kind: 'own'; readonly username?: string }
	| { readonly kind: 'reseller'; readonly reseller: string; readonly username?: string }
	| { readonly kind: 'network' };

/** What the charts of a page show. It stands in the address. */
export interface BandwidthState {
	readonly range: LastRange | 'days';
	/** UTC days like `2026-11-20`, both included, if the range is `days`. */
	readonly first: string | undefined;
	readonly last: string | undefined;
	readonly unit: 'hour' | undefined;
	readonly by: BandwidthDivision | undefined;
	/** Only what this edge reported; empty: everything. */
	readonly edge: string;
	/** Whether the time before is shown too. */
	readonly compare: 'on' | 'off';
}

export const RANGES = [...LAST_RANGES, 'days'] as const;
const DAY_MS = 86_400_000;
const WEEK = 7;

/** `divisions`: those that the page offers. */
export function bandwidthFields(range: LastRange, divisions: readonly BandwidthDivision[]): UrlFields<BandwidthState> {
	return {
		range: choiceField(RANGES, range),
		first: dayField,
		last: dayField,
		unit: maybeChoiceField(['hour']),
		by: maybeChoiceField(divisions),
		edge: textField(),
		compare: choiceField(['on', 'off'], 'on'),
	};
}

/** The UTC day of a time, or of so many days before, like `2026-11-20`. */
export function utcDay(nowMs: number, daysBefore = 0): string {
	return new Date(nowMs - daysBefore * DAY_MS).toISOString().slice(0, 10);
}

/** The days that can be chosen. `nowMs` is the server's time. */
export function daysOffered(nowMs: number): { readonly first: string; readonly last: string } {
	return { first: utcDay(nowMs, USAGE_SHOWN_DAYS - 1), last: utcDay(nowMs) };
}

/** Whether the service shows these days. An address may be mistyped, or be an old bookmark. */
function areOffered({ first, last }: BandwidthState, nowMs: number): boolean {
	if (first === undefined || last === undefined) return false;
	const offered = daysOffered(nowMs);
	return offered.first <= first && first <= last && last <= offered.last;
}

/** Whether these days can also be shown by hour. */
export function canShowHours(state: BandwidthState, nowMs: number): boolean {
	if (state.range !== 'days') return state.range === '7d';
	return areOffered(state, nowMs) && (state.first ?? '') >= utcDay(nowMs, WEEK - 1);
}

/** What the service is asked for. Days that it does not show become the last 30. */
export function timeOf(state: BandwidthState, nowMs: number): BandwidthTime {
	const unit = state.unit && canShowHours(state, nowMs) ? { unit: state.unit } : {};
	if (state.range !== 'days') return { range: state.range, ...unit };
	return areOffered(state, nowMs) ? { range: `${state.first}..${state.last}`, ...unit } : { range: '30d' };
}

/** One sub-user, one edge, or a division, or everything together. */
export function filterOf(
	{ edge, by }: BandwidthState,
	username: string | undefined,
): BandwidthFilter & { readonly by?: BandwidthDivision } {
	if (username !== undefined) return { username };
	if (edge !== '') return { edge };
	return by === undefined ? {} : { by };
}
