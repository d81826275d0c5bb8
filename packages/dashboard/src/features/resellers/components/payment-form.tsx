import { Text, TextInput } from '@mantine/core';
import type { ActControl } from '../../../api/use-act.ts';
import { moneyText } from '../../../format/money.ts';
import { AmountField } from '../../../frame/amount-field.tsx';
import { DialogForm } from '../../../frame/dialog-form.tsx';
import { Facts } from '../../../frame/facts.tsx';
import { resellerTexts } from '../../../texts/resellers.ts';
import { isPaymentExplained, type PaymentPath, type PaymentPreview, paymentPreview } from '../payment.ts';

const MAX_TEXT = 200;

interface TypedPayment {
	readonly amount: string;
	readonly reference: string;
	readonly reason: string;
}

interface Props {
	readonly path: PaymentPath;
	/** Of the reseller, in USD cents. */
	readonly balance: number;
	readonly act: ActControl;
	readonly typed: TypedPayment;
	readonly onType: (change: Partial<TypedPayment>) => void;
	readonly onSubmit: (cents: number) => void;
}

/** Asks for a payment, and shows the balance after it. */
export function PaymentForm({ path, balance, act, typed, onType, onSubmit }: Props) {
	const preview = paymentPreview(path, balance, typed.amount);
	const isPossible = preview.problem === undefined;
	return (
		<DialogForm
			change={act}
			onSubmit={() => isPossible && onSubmit(preview.amount)}
			action={isPossible ? resellerTexts.payNow[path](preview.amount) : resellerTexts.payTexts[path]}
			isComplete={isPossible && isPaymentExplained(path, typed)}
		>
			<Text size="sm">{resellerTexts.payIntros[path]}</Text>
			<AmountField
				label={resellerTexts.amount}
				description={resellerTexts.amountHint}
				error={problemText(preview, balance)}
				value={typed.amount}
				onType={(amount) => onType({ amount })}
				isFirst
			/>
			<TextInput
				label={resellerTexts.reference}
				description={resellerTexts.referenceHint}
				maxLength={MAX_TEXT}
				autoComplete="off"
				required
				withAsterisk={false}
				value={typed.reference}
				onChange={({ currentTarget }) => onType({ reference: currentTarget.value })}
			/>
			<TextInput
				label={resellerTexts.reason}
				description={resellerTexts.reasonHints[path]}
				maxLength={MAX_TEXT}
				autoComplete="off"
				value={typed.reason}
				onChange={({ currentTarget }) => onType({ reason: currentTarget.value })}
			/>
			<div aria-live="polite">
				<Facts
					facts={[
						{ name: resellerTexts.balanceNow, value: moneyText(balance) },
						{ name: resellerTexts.balanceAfter, value: isPossible ? <b>{moneyText(preview.after)}</b> : '–' },
					]}
				/>
			</div>
		</DialogForm>
	);
}

function problemText({ problem }: PaymentPreview, balance: number): string | undefined {
	switch (problem) {
		case 'invalid_amount':
			return resellerTexts.invalidAmount;
		case 'too_much':
			return resellerTexts.tooMuch(balance);
		case 'too_large':
			return resellerTexts.tooLarge;
		default:
			return undefined;
	}
}
