import { searchedText } from '@bursar/contract/dashboard';
import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import type { ReactNode } from 'react';
import classes from './lists.module.css';
import type { Order, Sorting } from './sorting.tsx';
import { listTexts } from './texts.ts';
import { useDraft } from './use-draft.ts';

/** A search and the filters of a list, in one line if they fit. */
export function Toolbar({ children }: { readonly children: ReactNode }) {
	return <search className={classes.toolbar}>{children}</search>;
}

/** The list is searched after a pause of so many milliseconds in the typing. */
const PAUSE_MS = 200;

interface SearchFieldProps {
	readonly label: string;
	/** What is searched for. */
	readonly value: string;
	readonly maxLength: number;
	readonly onChange: (value: string) => void;
}

/** Searches a list with each pause in the typing. A secret that was pasted by mistake must not reach the address. */
export function SearchField({ label, value, maxLength, onChange }: SearchFieldProps) {
	const [draft, setDraft] = useDraft(value);
	const search = useDebouncedCallback(onChange, PAUSE_MS);
	return (
		<TextInput
			type="search"
			aria-label={label}
			placeholder={label}
			leftSection={<IconSearch size={16} aria-hidden="true" />}
			value={draft}
			maxLength={maxLength}
			autoComplete="off"
			autoCapitalize="none"
			spellCheck={false}
			onChange={({ currentTarget }) => {
				setDraft(currentTarget.value);
				const { text, hidden } = searchedText(currentTarget.value);
				search(hidden ? '' : text.toLowerCase());
			}}
		/>
	);
}

interface OrderSelectProps<Name extends string> extends Sorting<Name> {
	/** What each order is called. */
	readonly orders: Readonly<Record<Order<Name>, string>>;
}

/** Sorts a list whose rows are cards. A table has buttons in its head for this. */
export function OrderSelect<Name extends string>({ orders, order, onSort }: OrderSelectProps<Name>) {
	return (
		<NativeSelect
			className={classes.order}
			aria-label={listTexts.order}
			data={Object.entries<string>(orders).map(([value, label]) => ({ value, label }))}
			value={order}
			onChange={({ currentTarget: { value } }) => onSort(value as Order<Name>)}
		/>
	);
}
