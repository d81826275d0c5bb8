import type { TextInputProps } from '@mantine/core';
import { PlainTextInput } from './plain-text-input.tsx';

/** No amount is longer, even with spaces around it. */
const MAX_LENGTH = 30;

interface Props extends Pick<TextInputProps, 'label' | 'description' | 'error' | 'disabled' | 'onBlur' | 'onKeyDown'> {
	/** Dollars and cents as they were typed. */
	readonly value: string;
	readonly onType: (text: string) => void;
	/** Whether the focus of its dialog begins here. */
	readonly isFirst?: boolean;
}

/** Asks for an amount of money. */
export function AmountField(props: Props) {
	return <PlainTextInput {...props} leftSection="$" inputMode="decimal" maxLength={MAX_LENGTH} />;
}
