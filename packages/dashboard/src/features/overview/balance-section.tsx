import type { Overview } from '@bursar/contract/dashboard';
import { MAX_CENTS } from '@bursar/contract/limits';
import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { useRead, useTakeOver } from '../../calls/use-read.ts';
import { moneyText, priceText, typedAmount, typedMoney } from '../../format/money.ts';
import { isUnfinished } from '../../format/number.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { Answered } from '../../page/answered.tsx';
import { Figure } from '../../page/figure.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Section } from '../../page/section.tsx';
import { subUserTexts } from '../sub-users/texts.ts';
import { StateMark } from '../terms/state-mark.tsx';
import classes from './overview.module.css';
import { overviewTexts } from './texts.ts';

/** The height of the balance. */
const HEIGHT = 33.6;

/** The balance, below which one the page warns, and the warning. What is said has its room before, so nothing moves. */
export function BalanceSection() {
	// Programs and other people change the balance meanwhile.
	const query = useRead('/overview', {}, { everyMs: 30_000 });
	const { data } = query;
	return (
		<Section
			title={overviewTexts.balance}
			help="balance"
			lead={<PaysFor overview={data} />}
			footer={
				<Text size="sm" c="dimmed">
					{overviewTexts.ownPair}{' '}
					<span style={{ visibility: data ? 'visible' : 'hidden' }}>
						<StateMark state={data?.pair ?? 'active'} />
					</span>
				</Text>
			}
		>
			<div className={classes.balance}>
				<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
					{({ balance }) => <Figure>{moneyText(balance)}</Figure>}
				</Answered>
				<div className={classes.warning} data-low={(data && isLow(data)) || undefined}>
					{/* It must be there before its text, so that the text is read aloud. */}
					<span role="status">{data && <Warning overview={data} />}</span>{' '}
					{data && <ChangeBound lowBalance={data.low_balance} />}
				</div>
			</div>
		</Section>
	);
}

/** What the balance does. The sentence has its room before it is known. */
function PaysFor({ overview }: { readonly overview: Overview | undefined }) {
	const price = overview?.price ?? null;
	return (
		<span style={{ visibility: overview ? 'visible' : 'hidden' }}>
			{price === null ? overviewTexts.paysForNoBandwidth : overviewTexts.paysForBandwidth(priceText(price))}
		</span>
	);
}

function isLow({ balance, low_balance }: Overview): boolean {
	return low_balance !== null && balance < low_balance;
}

function Warning({ overview }: { readonly overview: Overview }) {
	if (overview.low_balance === null) return overviewTexts.warnsNever;
	const bound = moneyText(overview.low_balance);
	if (!isLow(overview)) return overviewTexts.warnsBelow(bound);
	return (
		<>
			<strong className={classes.low}>{overviewTexts.lowTitle(bound)}</strong> {overviewTexts.low}
		</>
	);
}

interface BoundProps {
	/** In USD cents; `null` if the overview never warns. */
	readonly lowBalance: number | null;
}

/** A button that sets below which balance the overview warns. */
function ChangeBound({ lowBalance }: BoundProps) {
	const takeOver = useTakeOver();
	return (
		<ActDialog
			path="/overview/low-balance"
			done={(answer) => takeOver({ path: '/overview', query: {}, answer })}
			title={overviewTexts.boundTitle}
			button={(open) => (
				<IfMay path="/overview/low-balance">
					<Anchor component="button" type="button" size="sm" onClick={open}>
						{lowBalance === null ? overviewTexts.setBound : overviewTexts.changeBound}
					</Anchor>
				</IfMay>
			)}
		>
			{(act) => <BoundForm act={act} lowBalance={lowBalance} />}
		</ActDialog>
	);
}

/** Asks below which balance the overview warns. */
function BoundForm({ act, lowBalance }: BoundProps & { readonly act: Act<'/overview/low-balance'> }) {
	const [text, setText] = useState(lowBalance === null ? '' : typedMoney(lowBalance));
	const typed = typedAmount(text, { from: MAX_CENTS, to: 0 });
	const problem = typed.state === 'wrong' && !isUnfinished(text) && typed.problem;
	return (
		<ActForm
			act={act}
			body={typed.state === 'right' ? { low_balance: typed.cents } : undefined}
			action={overviewTexts.save}
			repeated={overviewTexts.boundRepeated}
		>
			<Text size="sm">{overviewTexts.boundIntro}</Text>
			<AmountField
				label={overviewTexts.bound}
				value={text}
				onType={setText}
				error={problem && subUserTexts.amountProblems[problem]}
				disabled={act.isBusy}
				isFirst
			/>
			{lowBalance !== null && (
				<Button
					variant="subtle"
					size="compact-sm"
					w="fit-content"
					disabled={act.isBusy}
					onClick={() => void act.send({ low_balance: null })}
				>
					{overviewTexts.noWarning}
				</Button>
			)}
		</ActForm>
	);
}
