import { MAX_NOTE_CHARACTERS } from '@bursar/contract/limits';
import { Stack } from '@mantine/core';
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

/** What a new sub-user has from the beginning. It is folded, because a name is enough. */
export function NewTermsFields({ texts, onType, disabled }: Props) {
	const gift = typedGift(texts);
	// A point at the end waits for its cents.
	const isWrong = gift.state === 'wrong' && !(gift.problem === 'unreadable' && isUnfinished(texts.amount));
	return (
		<details>
			<summary>{subUserTexts.newTerms}</summary>
			<Stack mt="sm">
				<AmountField
					label={subUserTexts.gift}
					description={subUserTexts.giftHint}
					value={texts.amount}
					onType={(amount) => onType({ ...texts, amount })}
					error={isWrong && subUserTexts.amountProblems[gift.problem]}
					disabled={disabled}
				/>
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
	);
}
