import type { Movement, PeriodSummary } from '@bursar/contract/dashboard';
import { bytesText } from '../../format/bytes.ts';
import { moneyText } from '../../format/money.ts';
import { Answered } from '../../page/answered.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { ownTotals, sumOf } from '../statement/periods.ts';
import { detailsText, makerText, statementTexts } from '../statement/texts.ts';
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
							<tr className={classes.balance}>
								<td />
								<th scope="row">{statementTexts.opening}</th>
								<td />
								<td />
								<td data-number>{moneyText(summary.opening as number)}</td>
							</tr>
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

function Line({ line }: { readonly line: Movement }) {
	const { at, kind, username, amount, balance } = line;
	return (
		<tr>
			<td>
				<Moment at={at} />
			</td>
			<td>
				<Name>
					{username === null ? statementTexts.kinds[kind] : statementTexts.kindOf(statementTexts.kinds[kind], username)}
				</Name>
				<small>
					<Name>{aboutText(line)}</Name>
				</small>
			</td>
			<td data-number>{amount < 0 && moneyText(-amount)}</td>
			<td data-number>{amount > 0 && moneyText(amount)}</td>
			<td data-number>{balance !== null && moneyText(balance)}</td>
		</tr>
	);
}

/** What it paid for, or who moved it and why. */
function aboutText(line: Movement): string {
	if (line.usage.length > 0)
		return statementTexts.usage(bytesText(line.usage.reduce((sum, { bytes }) => sum + bytes, 0)));
	return [makerText(line.by), detailsText(line)].filter((text) => text !== '').join(' · ');
}

/** What is too much to print. The balances are still right. */
function Rest({ lines, summary }: { readonly lines: readonly Movement[]; readonly summary: PeriodSummary }) {
	const all = sumOf(ownTotals(summary.totals));
	const left = all.count - lines.length;
	if (left <= 0) return null;
	const amount = all.amount - lines.reduce((sum, line) => sum + line.amount, 0);
	return (
		<tr>
			<td />
			<td>{statementTexts.notPrinted(left)}</td>
			<td data-number>{amount < 0 && moneyText(-amount)}</td>
			<td data-number>{amount > 0 && moneyText(amount)}</td>
			<td data-number>{moneyText(summary.closing as number)}</td>
		</tr>
	);
}

/** What went out and came in by kind and in all, and the balance that it leads to. */
function Totals({ summary: { totals, closing } }: { readonly summary: PeriodSummary }) {
	const own = ownTotals(totals);
	const rows = own.map(({ kind, count, amount }) => ({ name: statementTexts.totals[kind], count, amount }));
	const sum = (isIn: boolean) => sumOf(own.filter(({ amount }) => amount > 0 === isIn)).amount;
	return (
		<>
			{rows.map(({ name, count, amount }) => (
				<tr key={name}>
					<td />
					<td>{statementTexts.kindTotal(name, count)}</td>
					<td data-number>{amount < 0 && moneyText(-amount)}</td>
					<td data-number>{amount > 0 && moneyText(amount)}</td>
					<td />
				</tr>
			))}
			<tr className={classes.balance}>
				<td />
				<th scope="row">{statementTexts.closing}</th>
				<td data-number>{moneyText(-sum(false))}</td>
				<td data-number>{moneyText(sum(true))}</td>
				<td data-number>{moneyText(closing as number)}</td>
			</tr>
		</>
	);
}
