import type { Overview } from '@bursar/contract/dashboard';
import { Alert, Anchor, Text } from '@mantine/core';
import { moneyText } from '../../../format/money.ts';
import { Answered } from '../../../frame/answered.tsx';
import { Dialog } from '../../../frame/dialog.tsx';
import { lazyPage } from '../../../frame/lazy-page.ts';
import { Placeholder } from '../../../frame/placeholder.tsx';
import { Section } from '../../../frame/section.tsx';
import { usePreload } from '../../../frame/use-preload.ts';
import { frameTexts } from '../../../texts/frame.ts';
import { overviewTexts } from '../../../texts/overview.ts';
import { useBound } from '../api/use-bound.ts';
import { useOverview } from '../api/use-overview.ts';
import classes from './overview.module.css';

const LazyBoundForm = lazyPage(async () => (await import('./bound-form.tsx')).BoundForm);
const LATER = [LazyBoundForm];

/** The height of the balance with its note. */
const HEIGHT = 84;

/** The balance, and below which one the page warns. */
export function BalanceSection() {
	const query = useOverview();
	const bound = useBound();
	usePreload(LATER);
	return (
		<Section title={overviewTexts.balance}>
			<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
				{({ balance, low_balance }) => (
					<div>
						<div className={classes.number}>{moneyText(balance)}</div>
						<div className={`${classes.note} ${classes.lines}`}>
							{low_balance === null ? overviewTexts.warnsNever : overviewTexts.warnsBelow(moneyText(low_balance))}
							<Anchor component="button" type="button" size="sm" onClick={bound.open}>
								{low_balance === null ? overviewTexts.setBound : overviewTexts.changeBound}
							</Anchor>
						</div>
						<Dialog
							opened={bound.isOpen}
							onClose={bound.close}
							title={bound.state === 'open' ? overviewTexts.boundTitle : frameTexts.lostTitle}
						>
							<LazyBoundForm act={bound} lowBalance={low_balance} />
						</Dialog>
					</div>
				)}
			</Answered>
		</Section>
	);
}

/** Warns if the balance is below the bound. It stands above everything else. */
export function LowBalanceNote() {
	const { data } = useOverview();
	return (
		<div role="status" className={classes.warning}>
			{data && isLow(data) && <Warning bound={data.low_balance} />}
		</div>
	);
}

function isLow(overview: Overview): overview is Overview & { readonly low_balance: number } {
	return overview.low_balance !== null && overview.balance < overview.low_balance;
}

function Warning({ bound }: { readonly bound: number }) {
	return (
		<Alert color="yellow" title={overviewTexts.lowTitle(moneyText(bound))}>
			<Text size="sm">{overviewTexts.low}</Text>
		</Alert>
	);
}
