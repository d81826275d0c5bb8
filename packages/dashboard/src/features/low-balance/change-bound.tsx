import type { MailChoices } from '@bursar/contract/dashboard';
import { MAX_CENTS } from '@bursar/contract/limits';
import { Anchor, Button, Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { useRead, useTakeOver } from '../../calls/use-read.ts';
import { typedAmount, typedMoney } from '../../format/money.ts';
import { isUnfinished } from '../../format/number.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { subUserTexts } from '../sub-users/texts.ts';
import { lowBalanceTexts } from './texts.ts';

interface BoundProps {
	/** In USD cents; `null` if the overview never warns. */
	readonly lowBalance: number | null;
}

/** A button that sets below which balance the overview warns. */
export function ChangeBound({ lowBalance, children }: BoundProps & { readonly children: string }) {
	const takeOver = useTakeOver();
	return (
		<ActDialog
			path="/overview/low-balance"
			done={(answer) => takeOver({ path: '/overview', query: {}, answer }, ['/account/mail', '/first-steps'])}
			title={lowBalanceTexts.boundTitle}
			button={(open) => (
				<IfMay path="/overview/low-balance">
					<Anchor component="button" type="button" size="sm" ta="start" onClick={open}>
						{children}
					</Anchor>
				</IfMay>
			)}
		>
			{(act) => <BoundForm act={act} lowBalance={lowBalance} />}
		</ActDialog>
	);
}

/** Asks below which balance the overview warns, and whether the person wants the mail about it too. */
function BoundForm({ act, lowBalance }: BoundProps & { readonly act: Act<'/overview/low-balance'> }) {
	const [text, setText] = useState(lowBalance === null ? '' : typedMoney(lowBalance));
	const [mailToo, setMailToo] = useState(true);
	const { data: mail } = useRead('/account/mail', {});
	const isOffered = mail?.is_set_up && !wantsMail(mail);
	const typed = typedAmount(text, { from: MAX_CENTS, to: 0 });
	const problem = typed.state === 'wrong' && !isUnfinished(text) && typed.problem;
	return (
		<ActForm
			act={act}
			body={
				typed.state === 'right'
					? { low_balance: typed.cents, ...(isOffered && mailToo && { mail: true as const }) }
					: undefined
			}
			action={lowBalanceTexts.save}
			repeated={lowBalanceTexts.boundRepeated}
		>
			<Text size="sm">{lowBalanceTexts.boundIntro}</Text>
			<AmountField
				label={lowBalanceTexts.bound}
				value={text}
				onType={setText}
				error={problem && subUserTexts.amountProblems[problem]}
				disabled={act.isBusy}
				isFirst
			/>
			{isOffered ? (
				<Checkbox
					label={lowBalanceTexts.mailToo}
					description={lowBalanceTexts.mailTooNote}
					checked={mailToo}
					onChange={({ currentTarget }) => setMailToo(currentTarget.checked)}
				/>
			) : (
				mail && (
					<Text size="sm" c="dimmed">
						{mail.is_set_up ? lowBalanceTexts.mailIsOn : lowBalanceTexts.noMail}
					</Text>
				)
			)}
			{lowBalance !== null && (
				<Button
					variant="subtle"
					size="compact-sm"
					w="fit-content"
					disabled={act.isBusy}
					onClick={() => void act.send({ low_balance: null })}
				>
					{lowBalanceTexts.noWarning}
				</Button>
			)}
		</ActForm>
	);
}

function wantsMail({ choices }: MailChoices): boolean {
	return choices.some(({ mail, wanted }) => mail === 'low_balance' && wanted);
}
