import { Button, Group } from '@mantine/core';
import { useServerNow } from '../../calls/server-clock.ts';
import type { DayRange } from '../../format/days.ts';
import { NAMED_PERIODS, periodOf, rangeOf } from './periods.ts';
import { statementTexts } from './texts.ts';

const MINUTE_MS = 60_000;

interface Props {
	readonly range: DayRange;
	readonly onChoose: (range: { readonly from: string | undefined; readonly to: string | undefined }) => void;
}

/** Chooses a period that has a name. Any other range of days is typed into the fields. */
export function PeriodChoice({ range, onChoose }: Props) {
	const nowMs = useServerNow(MINUTE_MS);
	const chosen = periodOf(range, nowMs);
	return (
		<Group gap="xs" role="group" aria-label={statementTexts.period}>
			{NAMED_PERIODS.map((period) => (
				<Button
					key={period}
					size="xs"
					variant={period === chosen ? 'filled' : 'default'}
					aria-pressed={period === chosen}
					onClick={() => onChoose(rangeOf(period, nowMs))}
				>
					{statementTexts.periods[period]}
				</Button>
			))}
		</Group>
	);
}
