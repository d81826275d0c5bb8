import type { MoneyDay, PlatformMoney } from '@bursar/contract/dashboard';
import { dayText } from '../../format/days.ts';
import { moneyText } from '../../format/money.ts';
import { growthText } from '../../format/number.ts';
import { incomeOf, monthSums } from './months.ts';
import { NumberCard } from './number-card.tsx';
import { Sparkline } from './sparkline.tsx';
import { homeTexts } from './texts.ts';

interface Props {
	readonly money: PlatformMoney;
}

/** What is held for resellers. */
export function HeldCard({ money: { held, days } }: Props) {
	const [first] = days;
	return (
		<NumberCard
			title={homeTexts.held}
			link={{ href: '/resellers', text: homeTexts.toResellers }}
			number={moneyText(held)}
			note={homeTexts.heldNote}
		>
			{first && (
				<Sparkline
					label={homeTexts.heldTrend(dayText(first.date), moneyText(first.held), moneyText(held))}
					// The ledger lacks what was used since bandwidth was posted last.
					values={[...days.slice(0, -1).map((day) => day.held), held]}
					from={first.date}
					as="line"
				/>
			)}
		</NumberCard>
	);
}

/** What operators earn by bandwidth and fees, this month and by day. */
export function IncomeCard({ money: { days } }: Props) {
	const { current } = monthSums(days, incomeOf);
	const bandwidth = monthSums(days, (day) => day.bandwidth).current;
	return (
		<NumberCard
			title={homeTexts.income}
			link={{ href: '/income?days=month', text: homeTexts.toIncome }}
			number={moneyText(current)}
			note={
				<>
					<Comparison days={days} centsOf={incomeOf} />{' '}
					{current > 0 && homeTexts.incomeParts(moneyText(bandwidth), moneyText(current - bandwidth))}
				</>
			}
		>
			<DayBars days={days} centsOf={incomeOf} label={homeTexts.incomeTrend} />
		</NumberCard>
	);
}

/** What resellers paid in, this month and by day. */
export function TopUpsCard({ money: { days } }: Props) {
	const topUps = (day: MoneyDay) => day.top_ups;
	const takenBack = monthSums(days, (day) => day.adjustments).current;
	return (
		<NumberCard
			title={homeTexts.topUps}
			link={{ href: '/resellers', text: homeTexts.toTopUps }}
			number={moneyText(monthSums(days, topUps).current)}
			note={
				<>
					<Comparison days={days} centsOf={topUps} /> {takenBack > 0 && homeTexts.takenBack(moneyText(takenBack))}
				</>
			}
		>
			<DayBars days={days} centsOf={topUps} label={homeTexts.topUpsTrend} />
		</NumberCard>
	);
}

interface DaysProps {
	readonly days: readonly MoneyDay[];
	readonly centsOf: (day: MoneyDay) => number;
}

function Comparison({ days, centsOf }: DaysProps) {
	const { current, previous } = monthSums(days, centsOf);
	const growth = growthText(current, previous);
	if (growth === undefined) return homeTexts.sameDays(moneyText(previous));
	return homeTexts.change(moneyText(previous), growth);
}

interface DayBarsProps extends DaysProps {
	readonly label: (from: string, most: string) => string;
}

function DayBars({ days, centsOf, label }: DayBarsProps) {
	const values = days.map(centsOf);
	const from = days[0]?.date ?? '';
	const most = moneyText(Math.max(...values));
	return <Sparkline label={label(dayText(from), most)} values={values} most={most} from={from} as="bars" />;
}
