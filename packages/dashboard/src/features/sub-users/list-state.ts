import {
	type DashboardReads,
	MAX_SEARCH_CHARACTERS,
	PAIR_STATES,
	type SubUserOrder,
	type SubUserSearch,
	type WantedState,
} from '@bursar/contract/dashboard';
import {
	choiceField,
	type ListPosition,
	maybeChoiceField,
	positionQueryOf,
	textField,
	type UrlFields,
} from '../../lists/url-state.ts';
import { subUserTexts } from './texts.ts';

/** Which sub-users are listed, as it stands in the address. */
export interface ListState extends ListPosition {
	readonly search: string;
	readonly match: 'beginning' | 'anywhere';
	readonly order: SubUserOrder;
	/** Absent: in any state. */
	readonly state: WantedState | undefined;
}

/** What the list can be filtered by. */
export const WANTED_STATES: readonly WantedState[] = [...PAIR_STATES, 'refused'];

const ORDERS = Object.keys(subUserTexts.orders) as readonly SubUserOrder[];

export const listFields: UrlFields<ListState> = {
	search: textField(MAX_SEARCH_CHARACTERS),
	match: choiceField(['beginning', 'anywhere'], 'beginning'),
	order: choiceField(ORDERS, 'name'),
	state: maybeChoiceField(WANTED_STATES),
	after: textField(),
	before: textField(),
};

/** A typed text in lowercase. In the form of names it has no spaces; notes have some. */
function searchOf({ search, match }: Pick<ListState, 'search' | 'match'>): string {
	const text = search.trim().toLowerCase();
	return match === 'anywhere' ? text : text.replaceAll(/\s/g, '');
}

/** The search and the filter as the service is asked for them. */
export function subUserSearch({
	search,
	match,
	state,
}: Pick<ListState, 'search' | 'match' | 'state'>): SubUserSearch & { readonly state?: WantedState } {
	return { ...(search !== '' && { search: searchOf({ search, match }), match }), ...(state && { state }) };
}

export function subUsersQueryOf(state: ListState): DashboardReads['/sub-users']['query'] {
	return { ...subUserSearch(state), order: state.order, ...positionQueryOf(state) };
}

/** The columns by which the list can be sorted. */
export type SortedColumn = Exclude<SubUserOrder, `-${string}`>;
