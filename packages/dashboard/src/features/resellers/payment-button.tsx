import type { PaymentOutcome, ResellerDetails } from '@bursar/contract/dashboard';
import { Button, type ButtonProps, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { Panel } from '../../acts/panel.tsx';
import { actTexts } from '../../acts/texts.ts';
import { type ActControl, useAct } from '../../acts/use-act.ts';
import { moneyText } from '../../format/money.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { plainReference } from '../../forms/plain-reference.ts';
import { Help } from '../../help/help.tsx';
import { Facts } from '../../page/facts.tsx';
import { AgainField } from './again-field.tsx';
import {
	isAmountMeant,
	isPaymentExplained,
	type PaymentPath,
	type PaymentPreview,
	paymentPreview,
	type TypedOnce,
	typedOnce,
} from './payment.ts';
import { resellerTexts } from './texts.ts';
import { useNoteReseller } from './use-reseller.ts';

interface Props extends ButtonProps {
	readonly path: PaymentPath;
	readonly details: ResellerDetails;
	readonly children: string;
}

/** A button that moves an operator's money in a dialog: in with a top-up, or back out with an adjustment. */
export function PaymentButton({ path, details, children, ...button }: Props) {
	const { reseller, balance, largest_top_up: largestTopUp } = details;
	const act = useAct(path);
	const note = useNoteReseller();
	const [paid, setPaid] = useState<PaidProps>();

	function open() {
		setPaid(undefined);
		act.open();
	}
	async function send(payment: Payment) {
		const outcome = await act.send({ reseller, ...payment });
		if (outcome) setPaid({ outcome, reference: payment.reference });
		void note(reseller, outcome?.details);
	}

	return (
		<>
			<Button {...button} onClick={open}>
				{children}
			</Button>
			<ActDialog act={act} title={resellerTexts.payTitles[path](reseller)}>
				{paid ? (
					<Paid {...paid} onClose={act.close} />
				) : (
					<PaymentForm
						path={path}
						balance={balance}
						once={typedOnce(largestTopUp)}
						act={act}
						onSend={(payment) => void send(payment)}
					/>
				)}
			</ActDialog>
		</>
	);
}

interface PaidProps {
	readonly outcome: PaymentOutcome;
	readonly reference: string;
}

function Paid({ outcome: { repeated, details }, reference, onClose }: PaidProps & { readonly onClose: () => void }) {
	return (
		<Panel>
			<Text role="status">
				{repeated
					? resellerTexts.paidBefore(reference, moneyText(details.balance))
					: resellerTexts.paid(moneyText(details.balance))}
			</Text>
			<Button onClick={onClose} style={{ alignSelf: 'flex-end' }}>
				{actTexts.close}
			</Button>
		</Panel>
	);
}

const MAX_TEXT = 200;

/** A payment as it is sent. The amount is in USD cents. */
interface Payment {
	readonly amount: number;
	readonly reference: string;
	readonly reason: string;
}

interface PaymentFormProps {
	readonly path: PaymentPath;
	/** Of the reseller, in USD cents. */
	readonly balance: number;
	readonly once: TypedOnce;
	readonly act: ActControl;
	readonly onSend: (payment: Payment) => void;
}

/** Asks for a payment, and shows the balance after it. */
function PaymentForm({ path, balance, once, act, onSend }: PaymentFormProps) {
	const [typed, setTyped] = useState({ amount: '', again: '', reference: '', reason: '' });
	/** What was sent last. If its answer was lost, the balance of now may not allow it any more. */
	const [sent, setSent] = useState<Payment>();
	const preview = paymentPreview(path, balance, typed.amount);
	const isPossible = preview.problem === undefined;
	const isMeant = isPossible && isAmountMeant(preview.amount, typed.again, once);
	const type = (change: Partial<typeof typed>) => setTyped({ ...typed, ...change });

	function paymentOfNow(): Payment | undefined {
		if (!isMeant) return undefined;
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
			action={isPossible ? resellerTexts.payNow[path](moneyText(preview.amount)) : resellerTexts.payTexts[path]}
			isComplete={isMeant && isPaymentExplained(path, typed)}
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
			{isPossible && (
				<AgainField cents={preview.amount} once={once} value={typed.again} onType={(again) => type({ again })} />
			)}
			<TextInput
				label={resellerTexts.reference}
				description={resellerTexts.referenceHint}
				rightSection={<Help term="reference" />}
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
		case undefined:
		case 'no_amount':
			return undefined;
		case 'too_much':
			return resellerTexts.tooMuch(moneyText(balance));
		default:
			return resellerTexts.amountProblems[problem];
	}
}
