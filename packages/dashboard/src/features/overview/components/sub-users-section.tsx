import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { Section } from '../../../frame/section.tsx';
import { overviewTexts } from '../../../texts/overview.ts';
import { useSubUserCount } from '../../sub-users/api/use-sub-users.ts';
import classes from './overview.module.css';

/** How many sub-users there are. Nothing waits for the number. */
export function SubUsersSection() {
	const { data } = useSubUserCount({});
	return (
		<Section title={overviewTexts.subUsers}>
			<div>
				<div className={classes.number}>{data ? data.count.toLocaleString('en-US') : ' '}</div>
				<div className={classes.note}>
					<Anchor component={Link} href="/sub-users" size="sm">
						{data?.count === 0 ? overviewTexts.createFirst : overviewTexts.allSubUsers}
					</Anchor>
				</div>
			</div>
		</Section>
	);
}
