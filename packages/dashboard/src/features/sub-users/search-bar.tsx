import { MAX_SEARCH_CHARACTERS, PAIR_STATES, type WantedState } from '@bursar/contract/dashboard';
import { NativeSelect, SegmentedControl } from '@mantine/core';
import { OrderSelect, SearchField, Toolbar } from '../../lists/toolbar.tsx';
import { FIRST_PAGE } from '../../lists/url-state.ts';
import { termsTexts } from '../terms/texts.ts';
import { type ListState, type SortedColumn, WANTED_STATES } from './list-state.ts';
import { subUserTexts } from './texts.ts';

function matches(hasNotes: boolean) {
	const { beginning, anywhere, inNotes } = subUserTexts.matches;
	return [
		{ value: 'beginning', label: beginning },
		{ value: 'anywhere', label: hasNotes ? inNotes : anywhere },
	];
}

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
	/** Whether the person sees notes. Operators do not. */
	readonly hasNotes: boolean;
	readonly onChange: (change: Partial<ListState>, options?: { readonly replace?: boolean }) => void;
}

/** Searches and sorts the list of sub-users. */
export function SearchBar({ state, hasNotes, onChange }: Props) {
	return (
		<Toolbar>
			<SearchField
				label={hasNotes ? subUserTexts.search : subUserTexts.searchNames}
				value={state.search}
				maxLength={MAX_SEARCH_CHARACTERS}
				onChange={(search) => onChange({ search, ...FIRST_PAGE }, { replace: true })}
			/>
			<SegmentedControl
				aria-label={subUserTexts.match}
				data={matches(hasNotes)}
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
