import type { SubUserOrder } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { NativeSelect, SegmentedControl } from '@mantine/core';
import { SearchField } from '../../lists/filters.tsx';
import { FIRST_PAGE } from '../../lists/url-state.ts';
import { type ListState, ORDERS, searchOf } from './list-state.ts';
import classes from './sub-users.module.css';
import { subUserTexts } from './texts.ts';

const MATCHES = (['beginning', 'anywhere'] as const).map((value) => ({ value, label: subUserTexts.matches[value] }));
const ORDER_CHOICES = ORDERS.map((value) => ({ value, label: subUserTexts.orders[value] }));

interface Props {
	readonly state: ListState;
	readonly onChange: (change: Partial<ListState>, options?: { readonly replace?: boolean }) => void;
}

/** Searches and sorts the list of sub-users. */
export function SearchBar({ state, onChange }: Props) {
	return (
		<search className={classes.toolbar}>
			<SearchField
				label={subUserTexts.search}
				value={state.search}
				maxLength={USERNAME_MAX_LENGTH}
				onChange={(search) => onChange({ search: searchOf(search), ...FIRST_PAGE }, { replace: true })}
			/>
			<SegmentedControl
				aria-label={subUserTexts.match}
				data={MATCHES}
				value={state.match}
				onChange={(match) => onChange({ match: match as ListState['match'], ...FIRST_PAGE })}
			/>
			<NativeSelect
				// A table has buttons in its head for this.
				hiddenFrom="sm"
				aria-label={subUserTexts.order}
				data={ORDER_CHOICES}
				value={state.order}
				onChange={({ currentTarget: { value } }) => onChange({ order: value as SubUserOrder, ...FIRST_PAGE })}
			/>
		</search>
	);
}
