import { moneyText, parseMoney } from '../../format/money.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import type { TypedOnce } from './payment.ts';
import { resellerTexts } from './texts.ts';

interface Props {
	/** The amount that was typed first, in USD cents. */
	readonly cents: number;
	readonly once: TypedOnce;
	readonly value: string;
	readonly onType: (text: string) => void;
}

/** Asks a second time for an amount that is far off the usual. */
export function AgainField({ cents, once, value, onType }: Props) {
	if (cents <= once.cents) return null;
	const hint = once.isOfReseller ? resellerTexts.againFarOff : resellerTexts.againHint;
	return (
		<AmountField
			label={resellerTexts.again}
			description={hint(moneyText(once.cents))}
			error={isFinished(value, cents) && resellerTexts.againDiffers}
			value={value}
			onType={onType}
		/>
	);
}

/** Whether the typed text can no longer become the amount by further typing. */
function isFinished(value: string, cents: number): boolean {
	const typed = parseMoney(value);
	return typed === 'too_large' || (typed !== undefined && typed > cents);
}
