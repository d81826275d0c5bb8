import type { PairState, SubUserStates } from '@bursar/contract/dashboard';
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { numberText } from '../../format/number.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Section } from '../../page/section.tsx';
import { StateMark } from '../terms/state-mark.tsx';
import { termsTexts } from '../terms/texts.ts';
import classes from './overview.module.css';
import { refusedIn, refusedStates } from './refused-states.ts';
import { overviewTexts } from './texts.ts';

/** Which sub-users cannot work now, and why. Nothing if all can. */
export function RefusedSection() {
	const { data: states } = useRead('/sub-users/states', {});
	if (!states || refusedIn(states) === 0) return null;
	return (
		<Section
			title={overviewTexts.refused}
			lead={overviewTexts.refusedLead(refusedIn(states))}
			footer={
				<Anchor component={Link} href="/sub-users?state=refused" size="sm">
					{overviewTexts.allRefused}
				</Anchor>
			}
		>
			<Table
				label={overviewTexts.refused}
				columns={columnsOf(states)}
				rows={refusedStates(states)}
				keyOf={(state) => state}
			/>
		</Section>
	);
}

function columnsOf(states: SubUserStates): readonly Column<PairState>[] {
	return [
		{ name: termsTexts.title, isPlain: true, onCard: 'left', cell: (state) => <StateMark state={state} /> },
		{
			name: overviewTexts.subUsers,
			isNumber: true,
			onCard: 'right',
			isNamedOnCard: true,
			cell: (state) => (
				<Anchor component={Link} href={`/sub-users?state=${state}`} size="sm">
					{numberText(states[state])}
				</Anchor>
			),
		},
		{
			name: overviewTexts.refusedWhy,
			isPlain: true,
			cell: (state) => <div className={classes.why}>{termsTexts.leads[state]}</div>,
		},
	];
}
