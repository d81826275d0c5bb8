import type { BandwidthTime, TopSubUsers } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { bytesText } from '../../format/bytes.ts';
import { Empty } from '../../lists/empty.tsx';
import { Table } from '../../lists/table.tsx';
import { Answered } from '../../page/answered.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { Section } from '../../page/section.tsx';
import classes from './bandwidth.module.css';
import { bandwidthTexts } from './texts.ts';

/** The height of ten rows. */
const HEIGHT = 590;

/** The ten sub-users that used most. */
export function TopSection({ time }: { readonly time: BandwidthTime }) {
	const query = useRead('/bandwidth/top', time, { staleMs: 60_000, keepsPrevious: true });
	return (
		<Section title={bandwidthTexts.topTitle} lead={bandwidthTexts.topLead}>
			<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
				{(top) => <Top top={top} isStale={query.isPlaceholderData} />}
			</Answered>
		</Section>
	);
}

function Top({ top: { as_of, sub_users }, isStale }: { readonly top: TopSubUsers; readonly isStale: boolean }) {
	const [first] = sub_users;
	if (!first) return <Empty>{bandwidthTexts.noTop}</Empty>;
	const most = first.up + first.down;
	return (
		<div>
			<Table
				label={bandwidthTexts.topTitle}
				columns={[
					{
						name: bandwidthTexts.subUser,
						cell: ({ username, up, down }) => (
							<>
								<Anchor component={Link} href={`/sub-users/${username}`} size="sm">
									<Name>{username}</Name>
								</Anchor>
								<div className={classes.share}>
									<div style={{ width: `${((up + down) / most) * 100}%` }} />
								</div>
							</>
						),
					},
					{ name: bandwidthTexts.down, isNumber: true, cell: ({ down }) => bytesText(down) },
					{ name: bandwidthTexts.up, isNumber: true, cell: ({ up }) => bytesText(up) },
				]}
				rows={sub_users}
				keyOf={({ username }) => username}
				isStale={isStale}
			/>
			<Text size="sm" c="dimmed" mt="sm">
				{bandwidthTexts.asOf} <Moment at={as_of} />
			</Text>
		</div>
	);
}
