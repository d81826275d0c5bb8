import type { SubUserStates, WantedState } from '@bursar/contract/dashboard';
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { numberText } from '../../format/number.ts';
import { Answered } from '../../page/answered.tsx';
import { type Fact, Facts } from '../../page/facts.tsx';
import { Figure } from '../../page/figure.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Section } from '../../page/section.tsx';
import { termsTexts } from '../terms/texts.ts';
import { daysLeftText } from './metering-texts.ts';
import { refusedIn } from './refused-states.ts';
import { overviewTexts } from './texts.ts';

/** The height of the number, three lines and the links. */
const HEIGHT = 177;

/** How many sub-users there are and can work, and if balances pay for bandwidth, for how long they last. */
export function SubUsersSection() {
	const query = useRead('/sub-users/states', {});
	const isMetered = useRead('/overview', {}, { everyMs: 30_000 }).data?.price != null;
	return (
		<Section
			title={overviewTexts.subUsers}
			help="sub_user"
			footer={
				<>
					<Anchor component={Link} href="/sub-users" size="sm">
						{overviewTexts.allSubUsers}
					</Anchor>
					<Anchor component={Link} href="/connect" size="sm">
						{overviewTexts.connect}
					</Anchor>
				</>
			}
		>
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
	const refused = refusedIn(states);
	const lasting = useLasting(isMetered);
	const facts = [factOf('active', termsTexts.states.active, states.active), ...lasting];
	if (refused > 0) facts.splice(1, 0, factOf('refused', overviewTexts.cannotWork, refused));
	return (
		<>
			<Figure>{numberText(states.active + refused)}</Figure>
			{states.active + refused > 0 && <Facts as="lines" facts={facts} />}
		</>
	);
}

function factOf(state: WantedState, label: string, count: number): Fact {
	return {
		name: state,
		label: (
			<Anchor component={Link} href={`/sub-users?state=${state}`} size="sm">
				{label}
			</Anchor>
		),
		value: numberText(count),
	};
}

/** For how long the balances of all last. The section about it has more. */
function useLasting(isMetered: boolean): readonly Fact[] {
	const { data } = useRead('/metering', {}, { staleMs: 60_000, enabled: isMetered });
	// The line has its room before it is known.
	return isMetered
		? [{ name: overviewTexts.lasts, value: data ? daysLeftText(data.sub_users.days_left) : '\u00A0' }]
		: [];
}
