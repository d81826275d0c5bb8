import type { RefusedReport } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { bytesText } from '../../format/bytes.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { resellerPath, resellerSubUserPath } from '../../page/paths.ts';
import { Section } from '../../page/section.tsx';
import { usageTexts } from './texts.ts';

/** So that a hundred rows do not make the page long. */
const MAX_HEIGHT = 560;

/** The last refused reports, each with its edge or import and its account. */
export function LastRefusedSection({ refused }: { readonly refused: readonly RefusedReport[] }) {
	return (
		<Section title={usageTexts.lastRefused} lead={usageTexts.lastRefusedLead}>
			<Table
				label={usageTexts.lastRefused}
				columns={COLUMNS}
				rows={refused}
				keyOf={({ kind, source, username, reason }) => [kind, source, username, reason].join(' ')}
				maxHeight={MAX_HEIGHT}
			/>
		</Section>
	);
}

const COLUMNS: readonly Column<RefusedReport>[] = [
	{ name: usageTexts.arrived, onCard: 'left', cell: ({ arrived }) => <Moment at={arrived} /> },
	{ name: usageTexts.source, cell: (report) => <Source report={report} /> },
	{ name: usageTexts.account, cell: (report) => <AccountName report={report} /> },
	{
		name: usageTexts.reason,
		cell: ({ reason, reports }) => (
			<>
				<code>{reason}</code> · {usageTexts.times(reports)}
			</>
		),
	},
	{ name: usageTexts.usedAt, cell: ({ at }) => (at === null ? usageTexts.unread : <Moment at={at} />) },
	{ name: usageTexts.bytes, isNumber: true, cell: ({ up, down }) => bytesOf(up, down) },
];

function Source({ report: { kind, source, name } }: { readonly report: RefusedReport }) {
	return (
		<>
			{kind === 'edge' ? (
				<Anchor component={Link} href="/edges" size="sm">
					<Name>{source}</Name>
				</Anchor>
			) : (
				usageTexts.imported(source)
			)}
			{name !== '' && (
				<Text size="sm" c="dimmed">
					<Name>{name}</Name>
				</Text>
			)}
		</>
	);
}

function AccountName({ report: { username, reseller } }: { readonly report: RefusedReport }) {
	if (reseller === null) return username === '' ? usageTexts.unread : <Name>{username}</Name>;
	return (
		<>
			{username !== reseller && (
				<>
					<Anchor component={Link} href={resellerSubUserPath(reseller, username)} size="sm">
						<Name>{username}</Name>
					</Anchor>{' '}
					{usageTexts.of}{' '}
				</>
			)}
			<Anchor component={Link} href={resellerPath(reseller)} size="sm">
				<Name>{reseller}</Name>
			</Anchor>
		</>
	);
}

function bytesOf(up: number | null, down: number | null): string {
	return up === null || down === null ? usageTexts.unread : bytesText(up + down);
}
