import type { ResellerDetails } from '@bursar/contract/dashboard';
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { type ActControl, useAct } from '../../acts/use-act.ts';
import { moneyText, typedAmount } from '../../format/money.ts';
import { isUnfinished } from '../../format/number.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { Help } from '../../help/help.tsx';
import { Facts } from '../../page/facts.tsx';
import { resellerDebtTexts as texts } from './debt-texts.ts';
import { useNoteReseller } from './use-reseller.ts';

/** What a reseller owes, what follows from it, and the button that forgives it. */
export function DebtPart({ details }: { readonly details: ResellerDetails }) {
	const { reseller, debt } = details;
	const act = useAct('/operator/forgive-debt');
	const note = useNoteReseller();

	async function send(forgiven: Forgiven) {
		const answer = await act.send({ reseller, ...forgiven });
		if (answer) act.close();
		void note(reseller, answer);
	}

	return (
		<>
			{debt > 0 && <DebtAlert details={details} onForgive={act.open} />}
			<ActDialog act={act} title={texts.dialogTitle(reseller)}>
				<ForgiveForm act={act} debt={debt} onSend={(forgiven) => void send(forgiven)} />
			</ActDialog>
		</>
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
				<Text fz="1.5rem" fw={700} lh={1.2} style={{ overflowWrap: 'anywhere' }}>
					{moneyText(debt)}
				</Text>
				<Text size="sm">{!isPriced ? texts.unpriced : isBeyond ? texts.beyond(line) : texts.below(line)}</Text>
				<Button variant="default" onClick={onForgive}>
					{texts.forgive}
				</Button>
			</Stack>
		</Alert>
	);
}

const MAX_TEXT = 200;

/** The amount is in USD cents. */
interface Forgiven {
	readonly amount: number;
	readonly reason: string;
}

interface FormProps {
	readonly act: ActControl;
	/** In USD cents. */
	readonly debt: number;
	readonly onSend: (forgiven: Forgiven) => void;
}

/** Asks how much is forgiven and why, and shows the debt after it. */
function ForgiveForm({ act, debt, onSend }: FormProps) {
	const [text, setText] = useState('');
	const [reason, setReason] = useState('');
	/** What was sent last: the same again, if its answer was lost. */
	const [sent, setSent] = useState<Forgiven>();
	const typed = typedAmount(text, { from: debt, to: 0 });
	const amount = typed.state === 'right' ? typed.cents : undefined;

	function submit() {
		const now = amount === undefined ? undefined : { amount, reason: reason.trim() };
		const forgiven = act.state === 'open' ? now : sent;
		if (!forgiven) return;
		setSent(forgiven);
		onSend(forgiven);
	}

	return (
		<ActForm
			act={act}
			onSubmit={submit}
			action={amount === undefined ? texts.forgive : texts.forgiveNow(moneyText(amount))}
			isComplete={amount !== undefined && reason.trim() !== ''}
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
			<TextInput
				label={texts.reason}
				description={texts.reasonHint}
				maxLength={MAX_TEXT}
				autoComplete="off"
				required
				withAsterisk={false}
				value={reason}
				onChange={({ currentTarget }) => setReason(currentTarget.value)}
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
