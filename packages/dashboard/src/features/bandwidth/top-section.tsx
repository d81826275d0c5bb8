import type { BandwidthCost, BandwidthTime, TopSubUser, TopSubUsers } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { bytesText } from '../../format/bytes.ts';
import { moneyText } from '../../format/money.ts';
import { shareText } from '../../format/number.ts';
import { Empty } from '../../lists/empty.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { Answered } from '../../page/answered.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { resellerPath, resellerSubUserPath, subUserPath } from '../../page/paths.ts';
import { Section } from '../../page/section.tsx';
import classes from './bandwidth.module.css';
import { bandwidthTexts } from './texts.ts';
import { type TopRow, topRows } from './top-rows.ts';

/** The height of ten rows. */
const HEIGHT = 590;
const FRESH = { staleMs: 60_000, keepsPrevious: true } as const;

/** The ten sub-users of a reseller that used most. */
export function TopSection({ time }: { readonly time: BandwidthTime }) {
	const query = useRead('/bandwidth/top', time, FRESH);
	return (
		<Section title={bandwidthTexts.topTitle} lead={bandwidthTexts.topLead}>
			<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
				{(top) => (
					<Top top={top} isStale={query.isPlaceholderData}>
						{({ username }) => <NameLink href={subUserPath(username)}>{username}</NameLink>}
					</Top>
				)}
			</Answered>
		</Section>
	);
}

/** The ten of all resellers, for operators. */
export function NetworkTopSection({ time }: { readonly time: BandwidthTime }) {
	const query = useRead('/operator/bandwidth/top', time, FRESH);
	return (
		<Section title={bandwidthTexts.topTitle} lead={bandwidthTexts.networkTopLead}>
			<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
				{(top) => (
					<Top
						top={top}
						isStale={query.isPlaceholderData}
						more={{
							name: bandwidthTexts.resellerName,
							cell: ({ of }) => 'reseller' in of && <NameLink href={resellerPath(of.reseller)}>{of.reseller}</NameLink>,
						}}
					>
						{({ reseller, username }) => <NameLink href={resellerSubUserPath(reseller, username)}>{username}</NameLink>}
					</Top>
				)}
			</Answered>
		</Section>
	);
}

interface TopProps {
	readonly top: TopSubUsers;
	readonly isStale: boolean;
	/** A column behind the names. */
	readonly more?: Column<TopRow>;
	/** The name of a sub-user. */
	readonly children: (subUser: TopSubUser) => ReactNode;
}

function Top({ top, isStale, more, children: nameOf }: TopProps) {
	if (top.sub_users.length === 0) return <Empty>{bandwidthTexts.noTop}</Empty>;
	const rows = topRows(top);
	const hasCost = rows.some(({ of: { cost } }) => (cost ?? 0) > 0);
	const number = (name: string, onCard: 'left' | 'right', cell: (of: BandwidthCost) => string): Column<TopRow> => {
		return { name, isNumber: true, onCard, isNamedOnCard: true, cell: ({ of }) => cell(of) };
	};
	return (
		<div>
			<Table
				label={bandwidthTexts.topTitle}
				columns={[
					{
						name: bandwidthTexts.subUser,
						cell: ({ of, share }) => (
							<>
								{'username' in of ? nameOf(of) : <Others count={of.sub_users} />}
								{/* What is drawn is in the column of shares too. */}
								<div className={classes.share} aria-hidden="true">
									<div style={{ width: `${share * 100}%` }} />
								</div>
							</>
						),
					},
					...(more ? [more] : []),
					number(bandwidthTexts.down, 'left', ({ down }) => bytesText(down)),
					number(bandwidthTexts.up, 'right', ({ up }) => bytesText(up)),
					...(hasCost ? [number(bandwidthTexts.cost, 'left', ({ cost }) => moneyText(cost ?? 0))] : []),
					{
						...{ name: bandwidthTexts.share, isNumber: true, onCard: 'right', isNamedOnCard: true },
						cell: ({ share }) => shareText(share),
					},
				]}
				rows={rows}
				keyOf={({ of }) => ('username' in of ? of.username : '')}
				isStale={isStale}
			/>
			<Text size="sm" c="dimmed" mt="sm">
				{bandwidthTexts.asOf} <Moment at={top.as_of} />
			</Text>
		</div>
	);
}

function Others({ count }: { readonly count: number }) {
	return (
		<>
			{bandwidthTexts.allOthers}
			{count > 0 && (
				<Text span size="sm" c="dimmed">
					{' '}
					{bandwidthTexts.otherSubUsers(count)}
				</Text>
			)}
		</>
	);
}

function NameLink({ href, children }: { readonly href: string; readonly children: string }) {
	return (
		<Anchor component={Link} href={href} size="sm">
			<Name>{children}</Name>
		</Anchor>
	);
}
