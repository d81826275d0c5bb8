import type { ShownDays, TopSubUsers } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { bytesText } from '../../../format/bytes.ts';
import { Answered } from '../../../frame/answered.tsx';
import { Empty } from '../../../frame/empty.tsx';
import { Moment } from '../../../frame/moment.tsx';
import { Placeholder } from '../../../frame/placeholder.tsx';
import { Section } from '../../../frame/section.tsx';
import { Table } from '../../../frame/table.tsx';
import { bandwidthTexts } from '../../../texts/bandwidth.ts';
import { useTopSubUsers } from '../api/use-top-sub-users.ts';
import classes from './bandwidth.module.css';

/** The height of ten rows. */
const HEIGHT = 590;

/** The ten sub-users that used most. */
export function TopSection({ days }: { readonly days: ShownDays }) {
	const query = useTopSubUsers(days);
	return (
		<Section title={bandwidthTexts.topTitle} lead={bandwidthTexts.topLead(days)}>
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
									{username}
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
				onPhone="scroll"
				isStale={isStale}
			/>
			<Text size="sm" c="dimmed" mt="sm">
				{bandwidthTexts.asOf} <Moment at={as_of} />
			</Text>
		</div>
	);
}
