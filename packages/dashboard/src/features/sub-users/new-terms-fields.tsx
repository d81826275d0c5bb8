import { MAX_NOTE_CHARACTERS } from '@bursar/contract/limits';
import { Alert, Stack } from '@mantine/core';
import { useRead } from '../../calls/use-read.ts';
import { priceText } from '../../format/money.ts';
import { isUnfinished } from '../../format/number.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { LimitsFields } from '../terms/limits-fields.tsx';
import { termsTexts } from '../terms/texts.ts';
import { isNoteTooLong, type NewTermsTexts, typedGift } from './new-terms.ts';
import { subUserTexts } from './texts.ts';

interface Props {
	readonly texts: NewTermsTexts;
	readonly onType: (texts: NewTermsTexts) => void;
	readonly disabled: boolean;
}

/** What a new sub-user has from the beginning. Limits and the note are folded, because few have them. */
export function NewTermsFields({ texts, onType, disabled }: Props) {
	const gift = typedGift(texts);
	// A point at the end waits for its cents.
	const isWrong = gift.state === 'wrong' && !(gift.problem === 'unreadable' && isUnfinished(texts.amount));
	return (
		<>
			<AmountField
				label={subUserTexts.gift}
				description={subUserTexts.giftHint}
				value={texts.amount}
				onType={(amount) => onType({ ...texts, amount })}
				error={isWrong && subUserTexts.amountProblems[gift.problem]}
				disabled={disabled}
			/>
			<RefusedUntilItHasBalance amount={gift.state === 'empty' ? undefined : 1} />
			<details>
				<summary>{subUserTexts.newTerms}</summary>
				<Stack mt="sm">
					<LimitsFields texts={texts.limits} onType={(limits) => onType({ ...texts, limits })} disabled={disabled} />
					<PlainTextInput
						label={termsTexts.note}
						description={termsTexts.noteHint}
						value={texts.note}
						onType={(note) => onType({ ...texts, note })}
						error={isNoteTooLong(texts) && termsTexts.noteTooLong}
						disabled={disabled}
						// Some characters have two units, and one more can be typed, so that it is seen why it is too long.
						maxLength={2 * MAX_NOTE_CHARACTERS + 1}
					/>
				</Stack>
			</details>
		</>
	);
}

/** Says of a new sub-user without a balance that the proxies refuse it, if bandwidth has a price. */
export function RefusedUntilItHasBalance({ amount }: { readonly amount: number | undefined }) {
	const price = useRead('/overview', {}).data?.price ?? null;
	if (price === null || amount !== undefined) return null;
	return (
		<Alert role="note" color="orange">
			{subUserTexts.refusedWithoutBalance(priceText(price))}
		</Alert>
	);
}
