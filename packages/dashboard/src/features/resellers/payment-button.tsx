import type { ResellerDetails } from '@bursar/contract/dashboard';
import { Button, type ButtonProps, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import { Panel } from '../../acts/panel.tsx';
import { actTexts } from '../../acts/texts.ts';
import type { Act } from '../../acts/use-act.ts';
import { moneyText } from '../../format/money.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { plainReference } from '../../forms/plain-reference.ts';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { Help } from '../../help/help.tsx';
import { Facts } from '../../page/facts.tsx';
import { AgainField } from './again-field.tsx';
import {
	isAmountMeant,
	isPaymentExplained,
	type PaymentPath,
	type PaymentPreview,
	paymentPreview,
	typedOnce,
} from './payment.ts';
import { resellerTexts } from './texts.ts';
import { useRefreshReseller } from './use-reseller.ts';

interface Props extends ButtonProps {
	readonly path: PaymentPath;
	readonly details: ResellerDetails;
	readonly children: string;
}

/** A button that moves an operator's money in a dialog: in with a top-up, or back out with an adjustment. */
export function PaymentButton({ path, details, children, ...button }: Props) {
	const refresh = useRefreshReseller();
	return (
		<ActDialog
			path={path}
			done={(outcome) => refresh(details.reseller, outcome?.details)}
			title={resellerTexts.payTitles[path](details.reseller)}
			button={(open) => (
				<Button {...button} onClick={open}>
					{children}
				</Button>
			)}
			answered={({ repeated, details: { balance } }, { sent, close }) => (
				<Panel>
					<Text role="status">
						{repeated
							? resellerTexts.paidBefore(sent?.reference ?? '', moneyText(balance))
							: resellerTexts.paid(moneyText(balance))}
					</Text>
					<Button onClick={close} style={{ alignSelf: 'flex-end' }}>
						{actTexts.close}
					</Button>
				</Panel>
			)}
		>
			{(act) => <PaymentForm act={act} path={path} details={details} />}
		</ActDialog>
	);
}

const MAX_TEXT = 200;

interface PaymentFormProps extends Pick<Props, 'path' | 'details'> {
	readonly act: Act<PaymentPath>;
}

/** Asks for a payment, and shows the balance after it. */
function PaymentForm({ act, path, details: { reseller, balance, largest_top_up: largestTopUp } }: PaymentFormProps) {
	const [typed, setTyped] = useState({ amount: '', again: '', reference: '', reason: '' });
	const once = typedOnce(largestTopUp);
	const preview = paymentPreview(path, balance, typed.amount);
	const isPossible = preview.problem === undefined;
	const isMeant = isPossible && isAmountMeant(preview.amount, typed.again, once);
	const type = (change: Partial<typeof typed>) => setTyped({ ...typed, ...change });
	const [reference, reason] = [plainReference(typed.reference), typed.reason.trim()];
	return (
		<ActForm
			act={act}
			body={
				isMeant && isPaymentExplained(path, typed) ? { reseller, amount: preview.amount, reference, reason } : undefined
			}
			action={isPossible ? resellerTexts.payNow[path](moneyText(preview.amount)) : resellerTexts.payTexts[path]}
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
			<PlainTextInput
				label={resellerTexts.reference}
				description={resellerTexts.referenceHint}
				rightSection={<Help term="reference" />}
				maxLength={MAX_TEXT}
				required
				withAsterisk={false}
				value={typed.reference}
				onType={(text) => type({ reference: text })}
			/>
			<PlainTextInput
				label={resellerTexts.reason}
				description={resellerTexts.reasonHints[path]}
				maxLength={MAX_TEXT}
				value={typed.reason}
				onType={(text) => type({ reason: text })}
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
