import type { UsageCorrection, UsageHealthDay } from '@bursar/contract/dashboard';
import { Text } from '@mantine/core';
import { useRead } from '../../calls/use-read.ts';
import { shortDayText } from '../../format/days.ts';
import { numberText } from '../../format/number.ts';
import { Empty } from '../../lists/empty.tsx';
import { Item, ItemList } from '../../lists/item.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { Answered } from '../../page/answered.tsx';
import { Page } from '../../page/page.tsx';
import { Section } from '../../page/section.tsx';
import { pageNames } from '../../shell/texts.ts';
import { CorrectionsTable } from '../bandwidth/corrections-table.tsx';
import { bandwidthTexts } from '../bandwidth/texts.ts';
import { CorrectDay } from '../corrections/correct-day.tsx';
import { LastRefusedSection } from './last-refused-section.tsx';
import { refusedReasons } from './refused-reasons.ts';
import { usageTexts } from './texts.ts';

/** How the reports of bandwidth fare, for operators. */
export function UsagePage() {
	const query = useRead('/operator/usage', {});
	return (
		<Page title={pageNames.usage} help="report" lead={usageTexts.lead} actions={<CorrectDay />}>
			<Answered query={query}>
				{({ days, refused, corrections }) => (
					<>
						{days.length === 0 ? (
							<Empty>{usageTexts.none}</Empty>
						) : (
							<>
								<RefusedSection days={days} />
								{refused.length > 0 && <LastRefusedSection refused={refused} />}
								<DaysSection days={days} />
							</>
						)}
						{corrections.length > 0 && <CorrectionsSection corrections={corrections} />}
					</>
				)}
			</Answered>
		</Page>
	);
}

/** So that 90 days do not make the page long. */
const MAX_HEIGHT = 560;

/** What became of the reports of each day. */
function DaysSection({ days }: { readonly days: readonly UsageHealthDay[] }) {
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
	return numberText(count);
}

function CorrectionsSection({ corrections }: { readonly corrections: readonly UsageCorrection[] }) {
	return (
		<Section title={bandwidthTexts.corrections} lead={usageTexts.correctionsLead}>
			<CorrectionsTable corrections={corrections} columns={CORRECTION_COLUMNS} />
		</Section>
	);
}

const CORRECTION_COLUMNS: readonly Column<UsageCorrection>[] = [
	{ name: usageTexts.reseller, cell: ({ reseller }) => reseller },
	{ name: usageTexts.reference, cell: ({ reference }) => reference },
	{ name: usageTexts.by, cell: ({ by }) => by },
];

/** Why reports were refused, and what to do. */
function RefusedSection({ days }: { readonly days: readonly UsageHealthDay[] }) {
	const reasons = refusedReasons(days);
	if (reasons.length === 0) {
		return (
			<Section title={usageTexts.refused}>
				<Text size="sm">{usageTexts.nothingRefused}</Text>
			</Section>
		);
	}
	return (
		<Section title={usageTexts.refused} lead={usageTexts.refusedLead}>
			<ItemList>
				{reasons.map(({ reason, reports }) => {
					const { means, todo } = reasonTexts(reason);
					return (
						<Item
							key={reason}
							name={
								<>
									<code>{reason}</code> · {usageTexts.times(reports)}
								</>
							}
							details={
								<>
									<Text size="sm" c="var(--mantine-color-text)">
										{means}
									</Text>
									{todo}
								</>
							}
						/>
					);
				})}
			</ItemList>
		</Section>
	);
}

function reasonTexts(reason: string) {
	const known: Readonly<Record<string, { readonly means: string; readonly todo: string }>> = usageTexts.reasons;
	return (Object.hasOwn(known, reason) && known[reason]) || usageTexts.unknownReason;
}
