import type { Overview } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useTakesPayments } from '../../calls/presence.ts';
import { useMay } from '../../calls/use-may.ts';
import { useRead } from '../../calls/use-read.ts';
import { moneyText, priceText } from '../../format/money.ts';
import { Answered } from '../../page/answered.tsx';
import { Figure } from '../../page/figure.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Section } from '../../page/section.tsx';
import { ChangeBound } from '../low-balance/change-bound.tsx';
import { lowBalanceTexts } from '../low-balance/texts.ts';
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
				<>
					<Text size="sm" c="dimmed">
						{overviewTexts.ownPair}{' '}
						<span style={{ visibility: data ? 'visible' : 'hidden' }}>
							<StateMark state={data?.pair ?? 'active'} />
						</span>
					</Text>
					<TopUpLink />
				</>
			}
		>
			<div className={classes.balance}>
				<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
					{({ balance }) => <Figure>{moneyText(balance)}</Figure>}
				</Answered>
				<div className={classes.warning} data-low={(data && isLow(data)) || undefined}>
					{/* It must be there before its text, so that the text is read aloud. */}
					<span role="status">{data && <Warning overview={data} />}</span>{' '}
					{data && (
						<ChangeBound lowBalance={data.low_balance}>
							{data.low_balance === null ? lowBalanceTexts.setBound : lowBalanceTexts.changeBound}
						</ChangeBound>
					)}
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

/** Leads to where money is paid, if that is possible here. */
function TopUpLink({ otherwise }: { readonly otherwise?: string }) {
	const mayPay = useMay('/top-ups/create');
	if (!useTakesPayments() || !mayPay) return otherwise;
	return (
		<Anchor component={Link} href="/top-ups" size="sm">
			{overviewTexts.topUp}
		</Anchor>
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
			<strong className={classes.low}>{overviewTexts.lowTitle(bound)}</strong>{' '}
			<TopUpLink otherwise={overviewTexts.low} />
		</>
	);
}
