import {
	type PlatformMoney,
	REFUSED_REASONS,
	type RefusedByReason,
	type RefusedOfReseller,
	type RefusedReason,
	type WantedState,
} from '@bursar/contract/dashboard';
import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { numberText } from '../../format/number.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Facts } from '../../page/facts.tsx';
import { Name } from '../../page/name.tsx';
import { resellerPath, resellerSubUsersPath } from '../../page/paths.ts';
import { Section } from '../../page/section.tsx';
import { StateMark } from '../terms/state-mark.tsx';
import { termsTexts } from '../terms/texts.ts';
import { homeTexts } from './texts.ts';

const BY_REFUSED = '/resellers?order=-refused';

/** How many sub-users of all resellers cannot work now and why, and where. */
export function RefusedSection({ refused: { count, by_reason, resellers } }: Pick<PlatformMoney, 'refused'>) {
	return (
		<Section
			title={homeTexts.refusedSubUsers}
			lead={count === 0 ? undefined : homeTexts.refusedLead}
			footer={
				count > 0 && (
					<Anchor component={Link} href={BY_REFUSED} size="sm">
						{homeTexts.allRefused}
					</Anchor>
				)
			}
		>
			{count === 0 ? (
				<Text size="sm">{homeTexts.noneRefusedNow}</Text>
			) : (
				<>
					<Facts
						as="row"
						facts={[
							...reasonsOf(by_reason).map(([reason, subUsers]) => {
								return { name: reason, label: <StateMark state={reason} />, value: numberText(subUsers) };
							}),
							{
								name: homeTexts.together,
								value: (
									<Anchor component={Link} href={BY_REFUSED} inherit>
										{numberText(count)}
									</Anchor>
								),
								isSum: true,
							},
						]}
					/>
					<Table
						label={homeTexts.refusedSubUsers}
						columns={COLUMNS}
						rows={resellers}
						keyOf={({ reseller }) => reseller}
					/>
				</>
			)}
		</Section>
	);
}

const COLUMNS: readonly Column<RefusedOfReseller>[] = [
	{
		name: homeTexts.reseller,
		onCard: 'left',
		cell: ({ reseller }) => (
			<Anchor component={Link} href={resellerPath(reseller)} size="sm">
				<Name>{reseller}</Name>
			</Anchor>
		),
	},
	{ name: homeTexts.why, isPlain: true, cell: (refused) => <Reasons refused={refused} /> },
	{
		name: homeTexts.refusedCount,
		isNumber: true,
		onCard: 'right',
		cell: ({ reseller, count }) => (
			<Anchor component={Link} href={`${resellerSubUsersPath(reseller)}?state=refused`} size="sm">
				{numberText(count)}
			</Anchor>
		),
	},
];

/** Each reason leads to the sub-users that have it. */
function Reasons({ refused: { reseller, by_reason } }: { readonly refused: RefusedOfReseller }) {
	return (
		<Group gap="4px 16px">
			{reasonsOf(by_reason).map(([reason, subUsers]) => (
				<Anchor
					key={reason}
					component={Link}
					href={`${resellerSubUsersPath(reseller)}?state=${wantedState(reason)}`}
					size="sm"
				>
					{termsTexts.states[reason]}: {numberText(subUsers)}
				</Anchor>
			))}
		</Group>
	);
}

/** Lists tell those whose balance ran out from those that have never had one. */
function wantedState(reason: RefusedReason): WantedState {
	return reason === 'exhausted' ? 'refused' : reason;
}

/** The reasons of some sub-users, in one order. */
function reasonsOf(byReason: RefusedByReason): readonly (readonly [RefusedReason, number])[] {
	return REFUSED_REASONS.flatMap((reason) => {
		const count = byReason[reason] ?? 0;
		return count > 0 ? [[reason, count] as const] : [];
	});
}
