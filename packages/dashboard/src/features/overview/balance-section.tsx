import type { Overview } from '@bursar/contract/dashboard';
import { MAX_CENTS } from '@bursar/contract/limits';
import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { useAct } from '../../acts/use-act.ts';
import { useRead, useTakeOver } from '../../calls/use-read.ts';
import { moneyText, priceText, typedAmount, typedMoney } from '../../format/money.ts';
import { isUnfinished } from '../../format/number.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { Answered } from '../../page/answered.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Section } from '../../page/section.tsx';
import { StateMark } from '../life/state-mark.tsx';
import { subUserTexts } from '../sub-users/texts.ts';
import classes from './overview.module.css';
import { overviewTexts } from './texts.ts';

/** The height of the balance. */
const HEIGHT = 38.4;

/** The balance, below which one the page warns, and the warning. What is said has its room before, so nothing moves. */
export function BalanceSection() {
	// Programs and other people change the balance meanwhile.
	const query = useRead('/overview', {}, { everyMs: 30_000 });
	const bound = useBound();
	const { data } = query;
	return (
		<Section title={overviewTexts.balance} help="balance" lead={<PaysFor overview={data} />}>
			<div className={classes.balance}>
				<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
					{({ balance }) => <div className={classes.number}>{moneyText(balance)}</div>}
				</Answered>
				<div className={classes.warning} data-low={(data && isLow(data)) || undefined}>
					{/* It must be there before its text, so that the text is read aloud. */}
					<span role="status">{data && <Warning overview={data} />}</span>{' '}
					{data && (
						<IfMay path="/overview/low-balance">
							<Anchor component="button" type="button" size="sm" onClick={bound.open}>
								{data.low_balance === null ? overviewTexts.setBound : overviewTexts.changeBound}
							</Anchor>
						</IfMay>
					)}
				</div>
			</div>
			<Text size="sm" c="dimmed">
				{overviewTexts.ownPair}{' '}
				<span style={{ visibility: data ? 'visible' : 'hidden' }}>
					<StateMark state={data?.pair ?? 'active'} />
				</span>
			</Text>
			{data && (
				<ActDialog act={bound} title={overviewTexts.boundTitle}>
					<BoundForm act={bound} lowBalance={data.low_balance} />
				</ActDialog>
			)}
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

interface Props {
	readonly act: ReturnType<typeof useBound>;
	readonly lowBalance: number | null;
}

/** Asks below which balance the overview warns. */
function BoundForm({ act, lowBalance }: Props) {
	const [text, setText] = useState(lowBalance === null ? '' : typedMoney(lowBalance));
	const typed = typedAmount(text, { from: MAX_CENTS, to: 0 });
	/** What was sent last: the same again, if its answer was lost. */
	const [sent, setSent] = useState<number | null>(null);
	const problem = typed.state === 'wrong' && !isUnfinished(text) && typed.problem;

	function set(bound: number | null) {
		setSent(bound);
		void act.set(bound);
	}

	return (
		<ActForm
			act={act}
			onSubmit={() => set(act.state !== 'open' ? sent : typed.state === 'right' ? typed.cents : null)}
			action={overviewTexts.save}
			repeated={overviewTexts.boundRepeated}
			isComplete={typed.state === 'right'}
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
				<Button variant="subtle" size="compact-sm" w="fit-content" disabled={act.isBusy} onClick={() => set(null)}>
					{overviewTexts.noWarning}
				</Button>
			)}
		</ActForm>
	);
}

/** Sets below which balance the overview warns. */
function useBound() {
	const act = useAct('/overview/low-balance');
	const takeOver = useTakeOver();

	async function set(bound: number | null) {
		const answer = await act.send({ low_balance: bound });
		await takeOver({ path: '/overview', query: {}, answer });
		if (answer) act.close();
	}

	return { ...act, set };
}
