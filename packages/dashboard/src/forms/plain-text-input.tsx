import { TextInput, type TextInputProps } from '@mantine/core';

interface Props extends Omit<TextInputProps, 'onChange'> {
	readonly onType: (text: string) => void;
	/** Whether the focus of its dialog begins here. */
	readonly isFirst?: boolean;
	/** Whether it is a name, which the browser neither begins with a capital letter nor corrects. */
	readonly isName?: boolean;
}

/** Asks for a text of one line, which the browser does not complete. */
export function PlainTextInput({ onType, isFirst = false, isName = false, ...props }: Props) {
	return (
		<TextInput
			autoComplete="off"
			{...(isName && { autoCapitalize: 'none', spellCheck: false })}
			{...props}
			data-autofocus={isFirst || undefined}
			onChange={({ currentTarget }) => onType(currentTarget.value)}
		/>
	);
}
