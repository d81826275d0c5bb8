import type { UsageHealthDay } from '@bursar/contract/dashboard';
import { Text } from '@mantine/core';
import { shortDayText } from '../../../format/day.ts';
import { Section } from '../../../frame/section.tsx';
import { type Column, Table } from '../../../frame/table.tsx';
import { usageTexts } from '../../../texts/usage.ts';
import { refusedReasons } from '../refused-reasons.ts';

/** So that 90 days do not make the page long. */
const MAX_HEIGHT = 560;

/** What became of the reports of each day. */
export function DaysSection({ days }: { readonly days: readonly UsageHealthDay[] }) {
	return (
		<Section title={usageTexts.days} lead={usageTexts.repeatedHint}>
			<Table
				label={usageTexts.daysLabel}
				columns={COLUMNS}
				rows={days}
				keyOf={({ date }) => date}
				maxHeight={MAX_HEIGHT}
			/>
		</Section>
	);
}

const COLUMNS: readonly Column<UsageHealthDay>[] = [
	{ name: usageTexts.day, cell: ({ date }) => shortDayText(date) },
	{ name: usageTexts.counted, isNumber: true, cell: ({ counted }) => countText(counted) },
	{ name: usageTexts.repeated, isNumber: true, cell: ({ repeated }) => countText(repeated) },
	{ name: usageTexts.refusedCount, isNumber: true, cell: (day) => <Refused day={day} /> },
];

function Refused({ day }: { readonly day: UsageHealthDay }) {
	const reports = refusedReasons([day]).reduce((sum, reason) => sum + reason.reports, 0);
	if (reports === 0) return countText(0);
	return (
		<Text component="span" size="sm" c="var(--mantine-color-error)">
			{countText(reports)}
		</Text>
	);
}

function countText(count: number): string {
	return count.toLocaleString('en-US');
}
