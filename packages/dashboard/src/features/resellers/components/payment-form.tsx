import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ActControl } from '../../../api/use-act.ts';
import { moneyText } from '../../../format/money.ts';
import { ActForm } from '../../../frame/act-form.tsx';
import { AmountField } from '../../../frame/amount-field.tsx';
import { Facts } from '../../../frame/facts.tsx';
import { resellerTexts } from '../../../texts/resellers.ts';
import {
	isPaymentExplained,
	type PaymentPath,
	type PaymentPreview,
	paymentPreview,
	plainReference,
} from '../payment.ts';

const MAX_TEXT = 200;

/** A payment as it is sent. The amount is in USD cents. */
export interface Payment {
	readonly amount: number;
	readonly reference: string;
	readonly reason: string;
}

interface Props {
	readonly path: PaymentPath;
	/** Of the reseller, in USD cents. */
	readonly balance: number;
	readonly act: ActControl;
	readonly onSend: (payment: Payment) => void;
}

/** Asks for a payment, and shows the balance after it. */
export function PaymentForm({ path, balance, act, onSend }: Props) {
	const [typed, setTyped] = useState({ amount: '', reference: '', reason: '' });
	/** What was sent last. If its answer was lost, the balance of now may not allow it any more. */
	const [sent, setSent] = useState<Payment>();
	const preview = paymentPreview(path, balance, typed.amount);
	const isPossible = preview.problem === undefined;
	const type = (change: Partial<typeof typed>) => setTyped({ ...typed, ...change });

	function paymentOfNow(): Payment | undefined {
		if (!isPossible) return undefined;
		return { amount: preview.amount, reference: plainReference(typed.reference), reason: typed.reason.trim() };
	}
	function submit() {
		const payment = act.state === 'open' ? paymentOfNow() : sent;
		if (!payment) return;
		setSent(payment);
		onSend(payment);
	}

	return (
		<ActForm
			act={act}
			onSubmit={submit}
			action={isPossible ? resellerTexts.payNow[path](preview.amount) : resellerTexts.payTexts[path]}
			isComplete={isPossible && isPaymentExplained(path, typed)}
			lost={resellerTexts.payLost}
			repeated={resellerTexts.paidOnce}
		>
			<Text size="sm">{resellerTexts.payIntros[path]}</Text>
			<AmountField
				label={resellerTexts.amount}
				description={resellerTexts.amountHint}
				error={problemText(preview, balance)}
				value={typed.amount}
				onType={(amount) => type({ amount })}
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
				onChange={({ currentTarget }) => type({ reference: currentTarget.value })}
			/>
			<TextInput
				label={resellerTexts.reason}
				description={resellerTexts.reasonHints[path]}
				maxLength={MAX_TEXT}
				autoComplete="off"
				value={typed.reason}
				onChange={({ currentTarget }) => type({ reason: currentTarget.value })}
			/>
			<div aria-live="polite">
				<Facts
					facts={[
						{ name: resellerTexts.balanceNow, value: moneyText(balance) },
						{ name: resellerTexts.balanceAfter, value: isPossible ? <b>{moneyText(preview.after)}</b> : '–' },
					]}
				/>
			</div>
		</ActForm>
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
