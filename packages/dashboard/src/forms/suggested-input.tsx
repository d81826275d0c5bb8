import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useState } from 'react';

interface Props
	extends Pick<AutocompleteProps, 'label' | 'description' | 'error' | 'value' | 'maxLength' | 'inputWrapperOrder'> {
	/** What is offered below the field. All of it fits what was typed. */
	readonly suggestions: readonly string[];
	readonly onType: (text: string) => void;
	/** A suggestion was chosen. It was typed too. */
	readonly onChoose?: (text: string) => void;
	/** The Enter key, while no suggestion is chosen, or the field was left. */
	readonly onDone?: () => void;
}

/** Asks for a name or another text of one line, and suggests some. Arrow keys choose a suggestion, and Enter takes it. */
export function SuggestedInput({ suggestions, onType, onChoose, onDone, ...props }: Props) {
	const [isOpen, setOpen] = useState(false);
	return (
		<Autocomplete
			{...props}
			data={[...new Set(suggestions)]}
			// Otherwise an empty list would count as open.
			dropdownOpened={isOpen && suggestions.length > 0}
			onDropdownOpen={() => setOpen(true)}
			onDropdownClose={() => setOpen(false)}
			filter={({ options }) => options}
			withScrollArea={false}
			comboboxProps={{ keepMounted: false, transitionProps: { duration: 0 } }}
			autoComplete="off"
			autoCapitalize="none"
			spellCheck={false}
			onChange={onType}
			{...(onChoose && { onOptionSubmit: onChoose })}
			{...(onDone && { onBlur: onDone })}
			onKeyDown={({ key, currentTarget }) => {
				if (key === 'Enter' && !currentTarget.getAttribute('aria-activedescendant')) onDone?.();
			}}
		/>
	);
}
