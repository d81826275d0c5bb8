import type { SubUserOrder } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { FIRST_PAGE, type ListState, ORDERS, searchOf } from '../list-state.ts';
import classes from './sub-users.module.css';

/** While somebody types, the list waits this long for the next letter. */
const TYPING_MS = 250;
const MATCHES = (['beginning', 'anywhere'] as const).map((value) => ({ value, label: subUserTexts.matches[value] }));
const ORDER_CHOICES = ORDERS.map((value) => ({ value, label: subUserTexts.orders[value] }));

interface Props {
	readonly state: ListState;
	readonly onChange: (change: Partial<ListState>, options?: { readonly replace?: boolean }) => void;
}

/** Searches and sorts the list of sub-users. */
export function SearchBar({ state, onChange }: Props) {
	const [typed, setTyped] = useState({ text: state.search, of: state.search });
	// The address was changed elsewhere, as by the browser's back button.
	if (typed.of !== state.search) {
		setTyped({ text: searchOf(typed.text) === state.search ? typed.text : state.search, of: state.search });
	}
	const apply = useDebouncedCallback((text: string) => search(text), TYPING_MS);

	function search(text: string) {
		const next = searchOf(text);
		if (next !== state.search) onChange({ search: next, ...FIRST_PAGE }, { replace: true });
	}

	return (
		<search className={classes.toolbar}>
			<TextInput
				className={classes.search}
				type="search"
				label={subUserTexts.search}
				placeholder={subUserTexts.searchHint}
				value={typed.text}
				maxLength={USERNAME_MAX_LENGTH}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				onChange={({ currentTarget: { value } }) => {
					setTyped({ text: value, of: state.search });
					apply(value);
				}}
				onKeyDown={(event) => {
					if (event.key === 'Enter') apply.flush();
				}}
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
				label={subUserTexts.order}
				data={ORDER_CHOICES}
				value={state.order}
				onChange={({ currentTarget: { value } }) => onChange({ order: value as SubUserOrder, ...FIRST_PAGE })}
			/>
		</search>
	);
}
