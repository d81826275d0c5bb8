import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useDraft } from './use-draft.ts';

/** How long somebody may pause within a word before the list is searched. */
const PAUSE_MS = 200;

interface Props {
	readonly label: string;
	/** What is searched for. */
	readonly value: string;
	readonly maxLength: number;
	readonly onChange: (value: string) => void;
}

/** Searches a list while somebody types. */
export function SearchField({ label, value, maxLength, onChange }: Props) {
	const [draft, setDraft] = useDraft(value);
	const search = useDebouncedCallback(onChange, PAUSE_MS);
	return (
		<TextInput
			type="search"
			aria-label={label}
			placeholder={label}
			value={draft}
			maxLength={maxLength}
			autoComplete="off"
			autoCapitalize="none"
			spellCheck={false}
			onChange={({ currentTarget }) => {
				setDraft(currentTarget.value);
				search(currentTarget.value.trim().toLowerCase());
			}}
		/>
	);
}
