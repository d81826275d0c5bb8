import { TextInput } from '@mantine/core';
import { focusOnMount } from '../../acts/panel.tsx';

interface Props {
	readonly label: string;
	/** Which codes it takes. */
	readonly hint: string;
	/** Whether it appears because of what the person did. Then the focus goes there. */
	readonly isFocused?: boolean;
	readonly value: string;
	readonly onChange: (value: string) => void;
}

/** A field for a one-time code or a recovery code. */
export function CodeField({ label, hint, isFocused = false, value, onChange }: Props) {
	return (
		<TextInput
			label={label}
			description={hint}
			name="code"
			autoComplete="one-time-code"
			autoCapitalize="off"
			spellCheck={false}
			required
			withAsterisk={false}
			ref={isFocused ? focusOnMount : undefined}
			value={value}
			onChange={(event) => onChange(event.currentTarget.value)}
		/>
	);
}
