import { TextInput, type TextInputProps } from '@mantine/core';

/** No amount is longer, even with spaces around it. */
const MAX_LENGTH = 30;

interface Props extends Pick<TextInputProps, 'label' | 'description' | 'error' | 'disabled'> {
	/** Dollars and cents as they were typed. */
	readonly value: string;
	readonly onType: (text: string) => void;
	/** Whether the focus of its dialog begins here. */
	readonly isFirst?: boolean;
}

/** Asks for an amount of money. */
export function AmountField({ onType, isFirst = false, ...props }: Props) {
	return (
		<TextInput
			{...props}
			leftSection="$"
			inputMode="decimal"
			autoComplete="off"
			maxLength={MAX_LENGTH}
			data-autofocus={isFirst || undefined}
			onChange={({ currentTarget }) => onType(currentTarget.value)}
		/>
	);
}
