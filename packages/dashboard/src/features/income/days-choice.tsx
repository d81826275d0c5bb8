import type { ShownDays } from '@bursar/contract/dashboard';
import { SegmentedControl } from '@mantine/core';
import { incomeTexts } from './texts.ts';

export const SHOWN_DAYS: readonly ShownDays[] = [7, 30, 90];

interface Props {
	readonly days: ShownDays;
	readonly onChoose: (days: ShownDays) => void;
}

/** Chooses how many days are shown. */
export function DaysChoice({ days, onChoose }: Props) {
	return (
		<SegmentedControl
			size="xs"
			aria-label={incomeTexts.days}
			data={SHOWN_DAYS.map((choice) => ({ value: String(choice), label: incomeTexts.lastDays[choice] }))}
			value={String(days)}
			onChange={(value) => onChoose(Number(value) as ShownDays)}
		/>
	);
}
