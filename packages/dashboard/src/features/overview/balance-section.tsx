import type { Overview } from '@bursar/contract/dashboard';
import { Anchor } from '@mantine/core';
import { ActDialog } from '../../acts/act-form.tsx';
import { useRead } from '../../calls/use-read.ts';
import { moneyText } from '../../format/money.ts';
import { Answered } from '../../page/answered.tsx';
import { lazyPage, usePreload } from '../../page/lazy-page.ts';
import { Placeholder } from '../../page/loading.tsx';
import { Section } from '../../page/section.tsx';
import { useBound } from './bound-form.tsx';
import classes from './overview.module.css';
import { overviewTexts } from './texts.ts';

const LazyBoundForm = lazyPage(async () => (await import('./bound-form.tsx')).BoundForm);
const LATER = [LazyBoundForm];

/** The height of the balance. */
const HEIGHT = 38.4;

/** The balance, below which one the page warns, and the warning. What is said has its room before, so nothing moves. */
export function BalanceSection() {
	// Programs and other people change the balance meanwhile.
	const query = useRead('/overview', {}, { everyMs: 30_000 });
	const bound = useBound();
	usePreload(LATER);
	const { data } = query;
	return (
		<Section title={overviewTexts.balance}>
			<div className={classes.balance}>
				<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
					{({ balance }) => <div className={classes.number}>{moneyText(balance)}</div>}
				</Answered>
				<div className={classes.warning} data-low={(data && isLow(data)) || undefined}>
					{/* It must be there before its text, so that the text is read aloud. */}
					<span role="status">{data && <Warning overview={data} />}</span>{' '}
					{data && (
						<Anchor component="button" type="button" size="sm" onClick={bound.open}>
							{data.low_balance === null ? overviewTexts.setBound : overviewTexts.changeBound}
						</Anchor>
					)}
				</div>
			</div>
			{data && (
				<ActDialog act={bound} title={overviewTexts.boundTitle}>
					<LazyBoundForm act={bound} lowBalance={data.low_balance} />
				</ActDialog>
			)}
		</Section>
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
