import type { BandwidthTime, TopSubUsers } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { signedBytesText } from '../../format/bytes.ts';
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

type Row = TopSubUsers['sub_users'][number] & {
	/** Instead of the name of a sub-user. */
	readonly of?: 'rest' | 'all';
};

const NAMES = { rest: bandwidthTexts.topRest, all: bandwidthTexts.topAll } as const;

/** The sub-users, what all others used, and all together. A correction may have left less than the sub-users have. */
function rowsOf({ sub_users, all }: TopSubUsers): readonly Row[] {
	const rest = sub_users.reduce((left, { up, down }) => ({ up: left.up - up, down: left.down - down }), all);
	if (rest.up === 0 && rest.down === 0) return [...sub_users, { username: '', ...all, of: 'all' }];
	return [...sub_users, { username: '', ...rest, of: 'rest' }, { username: '', ...all, of: 'all' }];
}

function Top({ top, isStale }: { readonly top: TopSubUsers; readonly isStale: boolean }) {
	const [first] = top.sub_users;
	if (!first) return <Empty>{bandwidthTexts.noTop}</Empty>;
	const most = first.up + first.down;
	return (
		<div>
			<Table
				label={bandwidthTexts.topTitle}
				columns={[
					{
						name: bandwidthTexts.subUser,
						cell: ({ username, up, down, of }) =>
							of !== undefined ? (
								<b>{NAMES[of]}</b>
							) : (
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
					{ name: bandwidthTexts.down, isNumber: true, cell: ({ down }) => signedBytesText(down) },
					{ name: bandwidthTexts.up, isNumber: true, cell: ({ up }) => signedBytesText(up) },
				]}
				rows={rowsOf(top)}
				keyOf={({ username, of }) => of ?? `of ${username}`}
				isStale={isStale}
			/>
			<Text size="sm" c="dimmed" mt="sm">
				{bandwidthTexts.asOf} <Moment at={top.as_of} />
			</Text>
		</div>
	);
}
