import type { StatementPeriods } from '@bursar/contract/dashboard';
import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearch } from 'wouter/use-browser-location';
import { serverNowMs } from '../../calls/server-clock.ts';
import { useRead } from '../../calls/use-read.ts';
import { browserZone, type DayRange, dayText, isBackwards } from '../../format/days.ts';
import { momentText } from '../../format/time.ts';
import { readUrlState } from '../../lists/url-state.ts';
import { useServiceName } from '../../mark/use-brand.ts';
import { Answered } from '../../page/answered.tsx';
import { BackLink } from '../../page/page.tsx';
import { statementPaths } from '../../page/paths.ts';
import { pageTexts } from '../../page/texts.ts';
import { pageNames } from '../../shell/texts.ts';
import { boundsOf } from '../statement/periods.ts';
import { statementFields } from '../statement/statement-state.ts';
import { NotOfBalance, NotPosted } from '../statement/summary.tsx';
import { statementTexts } from '../statement/texts.ts';
import { usePeriods } from '../statement/use-statement.ts';
import classes from './printed.module.css';
import { PrintedLines } from './printed-lines.tsx';
import { Sender } from './sender.tsx';

interface Props {
	/** Whose statement it is. */
	readonly reseller: string;
	readonly forOperator?: boolean;
}

/** A statement to print: what a bank would send. It is a sheet of paper, also in the dark. */
export function PrintedPage({ reseller, forOperator = false }: Props) {
	const { from, to } = readUrlState(statementFields, useSearch());
	const range = isBackwards({ from, to }) ? {} : { from, to };
	const named = forOperator ? reseller : undefined;
	const query = usePeriods({ reseller: named, bounds: boundsOf(range) });
	const letterhead = useRead('/letterhead', {});
	const service = useServiceName();
	return (
		<div className={classes.desk}>
			<title>{pageTexts.title([statementTexts.printed, reseller, from, to].filter(Boolean).join(' '), service)}</title>
			<Group justify="space-between" className={classes.tools}>
				<BackLink href={statementPaths(named).list(range)}>{pageNames.statement}</BackLink>
				<Button onClick={() => window.print()}>{statementTexts.print}</Button>
			</Group>
			<main className={classes.sheet}>
				<Answered query={letterhead}>
					{(sender) => (
						<Answered query={query}>
							{(answer) => (
								<Sheet answer={answer} reseller={reseller} range={range} named={named}>
									<Sender letterhead={sender} />
								</Sheet>
							)}
						</Answered>
					)}
				</Answered>
			</main>
		</div>
	);
}

interface SheetProps {
	readonly answer: StatementPeriods;
	readonly reseller: string;
	readonly range: DayRange;
	/** The reseller, for the service, if an operator asks. */
	readonly named: string | undefined;
	/** Who sends it. */
	readonly children: ReactNode;
}

function Sheet({ answer, reseller, range, named, children }: SheetProps) {
	const [period] = answer.periods;
	if (!period?.summary) return <Text role="status">{statementTexts.addingUp}</Text>;
	const { summary } = period;
	const isNow = Date.parse(period.to) > serverNowMs();
	return (
		<>
			<Heading reseller={reseller} period={periodText(range, answer)}>
				{children}
			</Heading>
			<PrintedLines reseller={named} summary={summary} />
			<NotOfBalance totals={summary.totals} />
			{isNow && <NotPosted cents={answer.not_posted} closing={summary.closing as number} />}
		</>
	);
}

interface HeadingProps {
	readonly reseller: string;
	readonly period: string;
	/** Who sends it. */
	readonly children: ReactNode;
}

function Heading({ reseller, period, children }: HeadingProps) {
	return (
		<header className={classes.heading}>
			<div>
				{children}
				<h1>{statementTexts.title}</h1>
			</div>
			<dl>
				<dt>{statementTexts.account}</dt>
				<dd>{reseller}</dd>
				<dt>{statementTexts.period}</dt>
				<dd>{period}</dd>
				<dt>{statementTexts.timesIn}</dt>
				<dd>{browserZone()}</dd>
				<dt>{statementTexts.made}</dt>
				<dd>{momentText(new Date(serverNowMs()).toISOString())}</dd>
			</dl>
		</header>
	);
}

/** From the first day to the last one. What is open begins with the first transaction, and ends now. */
function periodText({ from, to }: DayRange, { begun }: StatementPeriods): string {
	const now = new Date(serverNowMs()).toISOString();
	const first = from === undefined ? momentText(begun ?? now) : dayText(`${from}T00:00:00Z`);
	return statementTexts.fromTo(first, to === undefined ? momentText(now) : dayText(`${to}T00:00:00Z`));
}
