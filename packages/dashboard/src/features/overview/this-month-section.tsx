import type { StatementPeriods } from '@bursar/contract/dashboard';
import { Anchor, Box, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useServerNow } from '../../calls/server-clock.ts';
import { changeText, moneyText } from '../../format/money.ts';
import { Answered } from '../../page/answered.tsx';
import { Facts } from '../../page/facts.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { statementPaths } from '../../page/paths.ts';
import { Section } from '../../page/section.tsx';
import { boundsOf, ownTotals, rangeOf } from '../statement/periods.ts';
import { statementTexts } from '../statement/texts.ts';
import { usePeriods } from '../statement/use-statement.ts';
import { overviewTexts } from './texts.ts';

const MINUTE_MS = 60_000;
/** The height of six lines, for which there is room also if there are fewer. */
const HEIGHT = 174;

/** What came to the balance of the reseller this month, and what went. */
export function ThisMonthSection() {
	const range = rangeOf('this_month', useServerNow(MINUTE_MS));
	const query = usePeriods({ reseller: undefined, bounds: boundsOf(range) });
	return (
		<Section
			title={overviewTexts.thisMonth}
			footer={
				<Anchor component={Link} href={statementPaths(undefined).list(range)} size="sm">
					{overviewTexts.toMonth}
				</Anchor>
			}
		>
			<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
				{(answer) => <Lines answer={answer} />}
			</Answered>
		</Section>
	);
}

/** The amounts that lead from the balance at the start of the month to the present one. */
function Lines({ answer: { periods, not_posted } }: { readonly answer: StatementPeriods }) {
	const summary = periods[0]?.summary;
	if (!summary) {
		return (
			<Text role="status" size="sm" c="dimmed" mih={HEIGHT}>
				{overviewTexts.addingUp}
			</Text>
		);
	}
	const { opening, closing, totals } = summary;
	return (
		<Box mih={HEIGHT}>
			<Facts
				as="lines"
				facts={[
					{ name: overviewTexts.atStart, value: moneyText(opening ?? 0) },
					...ownTotals(totals).map(({ kind, amount }) => ({
						name: statementTexts.totals[kind],
						value: changeText(amount),
					})),
					...(not_posted > 0 ? [{ name: overviewTexts.notPosted, value: changeText(-not_posted) }] : []),
					{ name: overviewTexts.now, value: moneyText((closing ?? 0) - not_posted), isSum: true },
				]}
			/>
		</Box>
	);
}
