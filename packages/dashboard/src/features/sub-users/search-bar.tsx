import { PAIR_STATES, type WantedState } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { NativeSelect, SegmentedControl } from '@mantine/core';
import { OrderSelect, SearchField, Toolbar } from '../../lists/toolbar.tsx';
import { FIRST_PAGE } from '../../lists/url-state.ts';
import { termsTexts } from '../terms/texts.ts';
import { type ListState, type SortedColumn, searchOf, WANTED_STATES } from './list-state.ts';
import { subUserTexts } from './texts.ts';

const MATCHES = (['beginning', 'anywhere'] as const).map((value) => ({ value, label: subUserTexts.matches[value] }));

const [ACTIVE, ...REASONS] = PAIR_STATES;
/** `refused` stands for all that come behind it. */
const STATES: readonly { readonly value: WantedState | ''; readonly label: string }[] = [
	{ value: '', label: subUserTexts.anyState },
	{ value: ACTIVE, label: termsTexts.states[ACTIVE] },
	{ value: 'refused', label: subUserTexts.refused },
	...REASONS.map((value) => ({ value, label: termsTexts.states[value] })),
];

interface Props {
	readonly state: ListState;
	readonly onChange: (change: Partial<ListState>, options?: { readonly replace?: boolean }) => void;
}

/** Searches and sorts the list of sub-users. */
export function SearchBar({ state, onChange }: Props) {
	return (
		<Toolbar>
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
				aria-label={subUserTexts.stateFilter}
				data={STATES}
				value={state.state ?? ''}
				onChange={({ currentTarget: { value } }) =>
					onChange({ state: WANTED_STATES.find((each) => each === value), ...FIRST_PAGE })
				}
			/>
			<OrderSelect<SortedColumn>
				orders={subUserTexts.orders}
				order={state.order}
				onSort={(order) => onChange({ order, ...FIRST_PAGE })}
			/>
		</Toolbar>
	);
}
