import { TextInput, type TextInputProps } from '@mantine/core';

interface Props extends Pick<TextInputProps, 'label' | 'error' | 'value' | 'name' | 'readOnly' | 'required'> {
	readonly 'data-autofocus'?: boolean | undefined;
	readonly onType: (text: string) => void;
}

/** Asks for the e-mail address with which a person signs in. Browsers fill it in, and keep the password for it. */
export function EmailField({ onType, ...props }: Props) {
	return (
		<TextInput
			{...props}
			// A field of the type `email` refuses addresses that the service accepts, like those with letters beyond ASCII.
			inputMode="email"
			autoCapitalize="none"
			spellCheck={false}
			autoComplete="username"
			withAsterisk={false}
			onChange={({ currentTarget }) => onType(currentTarget.value)}
		/>
	);
}
