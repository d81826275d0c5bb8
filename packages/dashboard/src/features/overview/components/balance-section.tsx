import type { Overview } from '@bursar/contract/dashboard';
import { Anchor } from '@mantine/core';
import { moneyText } from '../../../format/money.ts';
import { actTitle } from '../../../frame/act-title.ts';
import { Answered } from '../../../frame/answered.tsx';
import { Dialog } from '../../../frame/dialog.tsx';
import { lazyPage } from '../../../frame/lazy-page.ts';
import { Placeholder } from '../../../frame/placeholder.tsx';
import { Section } from '../../../frame/section.tsx';
import { usePreload } from '../../../frame/use-preload.ts';
import { overviewTexts } from '../../../texts/overview.ts';
import { useBound } from '../api/use-bound.ts';
import { useOverview } from '../api/use-overview.ts';
import classes from './overview.module.css';

const LazyBoundForm = lazyPage(async () => (await import('./bound-form.tsx')).BoundForm);
const LATER = [LazyBoundForm];

/** The height of the balance. */
const HEIGHT = 38.4;

/** The balance, below which one the page warns, and the warning. What is said has its room before, so nothing moves. */
export function BalanceSection() {
	const query = useOverview();
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
				<Dialog opened={bound.isOpen} onClose={bound.close} title={actTitle(bound, overviewTexts.boundTitle)}>
					<LazyBoundForm act={bound} lowBalance={data.low_balance} />
				</Dialog>
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
