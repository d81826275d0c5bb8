import type { ResellerDetails } from '@bursar/contract/dashboard';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { moneyText, typedAmount } from '../../format/money.ts';
import { isUnfinished } from '../../format/number.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { Help } from '../../help/help.tsx';
import { Facts } from '../../page/facts.tsx';
import { Figure } from '../../page/figure.tsx';
import { resellerDebtTexts as texts } from './debt-texts.ts';
import { useRefreshReseller } from './use-reseller.ts';

/** What a reseller owes, what follows from it, and the button that forgives it. */
export function DebtPart({ details }: { readonly details: ResellerDetails }) {
	const { reseller, debt } = details;
	const refresh = useRefreshReseller();
	return (
		<ActDialog
			path="/operator/forgive-debt"
			done={(answer) => refresh(reseller, answer)}
			title={texts.dialogTitle(reseller)}
			button={(open) => debt > 0 && <DebtAlert details={details} onForgive={open} />}
		>
			{(act) => <ForgiveForm act={act} reseller={reseller} debt={debt} />}
		</ActDialog>
	);
}

interface AlertProps {
	readonly details: ResellerDetails;
	readonly onForgive: () => void;
}

function DebtAlert({ details: { debt, debt_line, prices }, onForgive }: AlertProps) {
	const isPriced = (prices[0]?.price ?? null) !== null;
	const line = moneyText(debt_line);
	const isBeyond = debt > debt_line;
	return (
		<Alert
			role="status"
			color={isPriced && isBeyond ? 'red' : 'yellow'}
			title={
				<>
					{texts.owed} <Help term="debt" />
				</>
			}
		>
			<Stack gap="xs" align="flex-start">
				<Figure>{moneyText(debt)}</Figure>
				<Text size="sm">{!isPriced ? texts.unpriced : isBeyond ? texts.beyond(line) : texts.below(line)}</Text>
				<Button variant="default" onClick={onForgive}>
					{texts.forgive}
				</Button>
			</Stack>
		</Alert>
	);
}

const MAX_TEXT = 200;

interface FormProps {
	readonly act: Act<'/operator/forgive-debt'>;
	readonly reseller: string;
	/** In USD cents. */
	readonly debt: number;
}

/** Asks how much is forgiven and why, and shows the debt after it. */
function ForgiveForm({ act, reseller, debt }: FormProps) {
	const [text, setText] = useState('');
	const [typedReason, setReason] = useState('');
	const typed = typedAmount(text, { from: debt, to: 0 });
	const amount = typed.state === 'right' ? typed.cents : undefined;
	const reason = typedReason.trim();
	return (
		<ActForm
			act={act}
			body={amount === undefined || reason === '' ? undefined : { reseller, amount, reason }}
			action={amount === undefined ? texts.forgive : texts.forgiveNow(moneyText(amount))}
			repeated={texts.repeated}
		>
			<Text size="sm">{texts.intro}</Text>
			<AmountField
				label={texts.amount}
				description={texts.amountHint(moneyText(debt))}
				error={typed.state === 'wrong' && !isUnfinished(text) && texts.problems[typed.problem]}
				value={text}
				onType={setText}
				disabled={act.isBusy}
				isFirst
			/>
			<PlainTextInput
				label={texts.reason}
				description={texts.reasonHint}
				maxLength={MAX_TEXT}
				required
				withAsterisk={false}
				value={typedReason}
				onType={setReason}
			/>
			<div aria-live="polite">
				<Facts
					facts={[
						{ name: texts.now, value: moneyText(debt) },
						{ name: texts.after, value: amount === undefined ? '–' : <b>{moneyText(debt - amount)}</b> },
					]}
				/>
			</div>
		</ActForm>
	);
}
