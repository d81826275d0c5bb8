import type { Movement, PeriodSummary } from '@bursar/contract/dashboard';
import type { ReactNode } from 'react';
import { moneyText } from '../../format/money.ts';
import { Answered } from '../../page/answered.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { ownTotals, sumOf } from '../statement/periods.ts';
import { detailsText, makerText, statementTexts, usageText } from '../statement/texts.ts';
import classes from './printed.module.css';
import { useLines } from './use-lines.ts';

interface Props {
	/** For an operator. Absent: that of the person. */
	readonly reseller: string | undefined;
	readonly summary: PeriodSummary;
}

/** The transactions of a period between its two balances, with what went out and came in. */
export function PrintedLines({ reseller, summary }: Props) {
	const query = useLines(reseller, summary);
	return (
		<Answered query={query}>
			{(lines) => (
				// A narrow screen scrolls it; paper is wide enough.
				// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard.
				<section className={classes.frame} tabIndex={0} data-scrolls aria-label={statementTexts.label}>
					<table className={classes.lines}>
						<Head />
						<tbody>
							<Row isBalance balance={summary.opening}>
								{statementTexts.opening}
							</Row>
							{lines.map((line) => (
								<Line key={line.number} line={line} />
							))}
							<Rest lines={lines} summary={summary} />
						</tbody>
						<tbody className={classes.totals}>
							<Totals summary={summary} />
						</tbody>
					</table>
				</section>
			)}
		</Answered>
	);
}

/** Printers repeat it on each page. */
function Head() {
	return (
		<thead>
			<tr>
				<th scope="col">{statementTexts.at}</th>
				<th scope="col">{statementTexts.kind}</th>
				<th scope="col" data-number>
					{statementTexts.out}
				</th>
				<th scope="col" data-number>
					{statementTexts.in}
				</th>
				<th scope="col" data-number>
					{statementTexts.balance}
				</th>
			</tr>
		</thead>
	);
}

interface RowProps {
	readonly at?: string;
	/** What it says. */
	readonly children: ReactNode;
	/** USD cents. What is absent stays empty. */
	readonly out?: number;
	readonly in?: number;
	readonly balance?: number | null;
	/** Whether it is about the balance alone. */
	readonly isBalance?: boolean;
}

function Row({ at, children, out, in: into, balance = null, isBalance = false }: RowProps) {
	return (
		<tr className={isBalance ? classes.balance : undefined}>
			<td>{at !== undefined && <Moment at={at} />}</td>
			{isBalance ? <th scope="row">{children}</th> : <td>{children}</td>}
			<td data-number>{out !== undefined && moneyText(out)}</td>
			<td data-number>{into !== undefined && moneyText(into)}</td>
			<td data-number>{balance !== null && moneyText(balance)}</td>
		</tr>
	);
}

/** In which column an amount stands; in none if it is zero. */
function sideOf(amount: number): Pick<RowProps, 'out' | 'in'> {
	return { ...(amount < 0 && { out: -amount }), ...(amount > 0 && { in: amount }) };
}

function Line({ line }: { readonly line: Movement }) {
	const { at, kind, username, amount, balance, usage } = line;
	const words = statementTexts.kinds[kind];
	const about = [makerText(line), detailsText(line)].filter((text) => text !== '').join(' · ');
	return (
		<Row at={at} {...sideOf(amount)} balance={balance}>
			<Name>{username === null ? words : statementTexts.kindOf(words, username)}</Name>
			<small>
				<Name>{usage.length > 0 ? usageText(line) : about}</Name>
			</small>
		</Row>
	);
}

/** The sum of the lines that are too many to print, so that the balances add up. */
function Rest({ lines, summary }: { readonly lines: readonly Movement[]; readonly summary: PeriodSummary }) {
	const all = sumOf(ownTotals(summary.totals));
	const left = all.count - lines.length;
	if (left <= 0) return null;
	const amount = all.amount - lines.reduce((sum, line) => sum + line.amount, 0);
	return (
		<Row {...sideOf(amount)} balance={summary.closing}>
			{statementTexts.notPrinted(left)}
		</Row>
	);
}

/** What went out and came in by kind and in all, and the balance that it leads to. */
function Totals({ summary: { totals, closing } }: { readonly summary: PeriodSummary }) {
	const own = ownTotals(totals);
	const sum = (isIn: boolean) => sumOf(own.filter(({ amount }) => amount > 0 === isIn)).amount;
	return (
		<>
			{own.map(({ kind, count, amount }) => (
				<Row key={kind} {...sideOf(amount)}>
					{statementTexts.kindTotal(statementTexts.totals[kind], count)}
				</Row>
			))}
			<Row isBalance out={-sum(false)} in={sum(true)} balance={closing}>
				{statementTexts.closing}
			</Row>
		</>
	);
}
