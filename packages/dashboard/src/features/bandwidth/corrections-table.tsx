import type { BandwidthCorrection } from '@bursar/contract/dashboard';
import { bytesChangeText } from '../../format/bytes.ts';
import { dayText } from '../../format/days.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { bandwidthTexts } from './texts.ts';

interface Props<Correction> {
	readonly corrections: readonly Correction[];
	/** Columns after the usual ones. */
	readonly columns?: readonly Column<Correction>[];
}

/** What the operator changed about the bandwidth of days. */
export function CorrectionsTable<Correction extends BandwidthCorrection>({
	corrections,
	columns = [],
}: Props<Correction>) {
	return (
		<Table<Correction>
			label={bandwidthTexts.corrections}
			columns={[...COLUMNS, ...columns]}
			rows={corrections}
			keyOf={({ made, username, date, up, down, reason }) => [made, username, date, up, down, reason].join(' ')}
		/>
	);
}

const COLUMNS: readonly Column<BandwidthCorrection>[] = [
	{ name: bandwidthTexts.correctedAt, onCard: 'left', cell: ({ made }) => <Moment at={made} /> },
	{ name: bandwidthTexts.account, cell: ({ username }) => <Name>{username}</Name> },
	{ name: bandwidthTexts.day, cell: ({ date }) => dayText(date) },
	{ name: bandwidthTexts.down, isNumber: true, cell: ({ down }) => bytesChangeText(down) },
	{ name: bandwidthTexts.up, isNumber: true, cell: ({ up }) => bytesChangeText(up) },
	{ name: bandwidthTexts.reason, cell: ({ reason }) => reason },
];
