import { PAIR_STATES, type SubUserStates } from '@bursar/contract/dashboard';
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { numberText } from '../../format/number.ts';
import { Answered } from '../../page/answered.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Section } from '../../page/section.tsx';
import { lifeTexts } from '../life/texts.ts';
import { daysLeftText } from './metering-texts.ts';
import classes from './overview.module.css';
import { overviewTexts } from './texts.ts';

/** The height of the number, three lines and the links. */
const HEIGHT = 182;

/** How many sub-users there are and in which states, and if balances pay for bandwidth, for how long they last. */
export function SubUsersSection() {
	const query = useRead('/sub-users/states', {});
	const isMetered = useRead('/overview', {}, { everyMs: 30_000 }).data?.price != null;
	return (
		<Section title={overviewTexts.subUsers} help="sub_user">
			<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
				{(states) => <Counts states={states} isMetered={isMetered} />}
			</Answered>
		</Section>
	);
}

interface CountsProps {
	readonly states: SubUserStates;
	readonly isMetered: boolean;
}

function Counts({ states, isMetered }: CountsProps) {
	const all = PAIR_STATES.reduce((sum, state) => sum + states[state], 0);
	const shown = PAIR_STATES.filter((state) => state === 'active' || states[state] > 0);
	return (
		<>
			<div className={classes.number}>{numberText(all)}</div>
			{all > 0 && (
				<dl className={classes.lines}>
					{shown.map((state) => (
						<div key={state}>
							<dt>
								<Anchor component={Link} href={`/sub-users?state=${state}`} size="sm">
									{lifeTexts.states[state]}
								</Anchor>
							</dt>
							<dd>{numberText(states[state])}</dd>
						</div>
					))}
					{isMetered && <Lasting />}
				</dl>
			)}
			<div className={classes.note}>
				<Anchor component={Link} href="/sub-users" size="sm">
					{all === 0 ? overviewTexts.createFirst : overviewTexts.allSubUsers}
				</Anchor>
				<Anchor component={Link} href="/connect" size="sm">
					{overviewTexts.connect}
				</Anchor>
			</div>
		</>
	);
}

/** For how long the balances of all last. The section about it has more. */
function Lasting() {
	const { data } = useRead('/metering', {}, { staleMs: 60_000 });
	return (
		<div>
			<dt>{overviewTexts.lasts}</dt>
			<dd>{data ? daysLeftText(data.sub_users.days_left) : ' '}</dd>
		</div>
	);
}
