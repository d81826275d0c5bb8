import { moneyText, parseMoney } from '../../format/money.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { LARGE_PAYMENT_CENTS } from './payment.ts';
import { resellerTexts } from './texts.ts';

interface Props {
	/** The amount that was typed first, in USD cents. */
	readonly cents: number;
	readonly value: string;
	readonly onType: (text: string) => void;
}

/** Asks for a large amount a second time. */
export function AgainField({ cents, value, onType }: Props) {
	if (cents <= LARGE_PAYMENT_CENTS) return null;
	return (
		<AmountField
			label={resellerTexts.again}
			description={resellerTexts.againHint(moneyText(LARGE_PAYMENT_CENTS))}
			error={isFinished(value, cents) && resellerTexts.againDiffers}
			value={value}
			onType={onType}
		/>
	);
}

/** Whether so much was typed that it cannot become the amount by typing on. */
function isFinished(value: string, cents: number): boolean {
	const typed = parseMoney(value);
	return typed === 'too_large' || (typed !== undefined && typed > cents);
}
