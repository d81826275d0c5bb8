import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useDraft } from './use-draft.ts';

interface Props {
	readonly label: string;
	/** The filter that counts. Empty: none. */
	readonly value: string;
	/** The filter that a text stands for; `undefined` if it is none. */
	readonly parse: (text: string) => string | undefined;
	/** Said of a text that is no filter. Then the previous filter still counts. */
	readonly error: string;
	readonly onChange: (value: string) => void;
	readonly maxLength: number;
}

/** A text that filters a list once it is complete: with the Enter key, or when the field is left. */
export function FilterField({ label, value, parse, error, onChange, maxLength }: Props) {
	const [draft, setDraft] = useDraft(value);
	const [isWrong, setWrong] = useState(false);

	function apply() {
		const text = draft.trim();
		const next = text === '' ? '' : parse(text);
		setWrong(next === undefined);
		if (next === undefined) return;
		setDraft(next);
		if (next !== value) onChange(next);
	}

	return (
		<TextInput
			label={label}
			value={draft}
			error={isWrong && error}
			maxLength={maxLength}
			autoComplete="off"
			autoCapitalize="none"
			spellCheck={false}
			onChange={(event) => {
				setWrong(false);
				setDraft(event.currentTarget.value);
			}}
			onBlur={apply}
			onKeyDown={(event) => {
				if (event.key === 'Enter') apply();
			}}
		/>
	);
}
