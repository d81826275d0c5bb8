import {
	type PlatformMoney,
	REFUSED_REASONS,
	type RefusedByReason,
	type RefusedOfReseller,
	type RefusedReason,
} from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { numberText } from '../../format/number.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Facts } from '../../page/facts.tsx';
import { Name } from '../../page/name.tsx';
import { resellerSubUsersPath } from '../../page/paths.ts';
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
						as="lines"
						facts={[
							...reasonsOf(by_reason).map(([reason, subUsers]) => {
								return { name: reason, label: <StateMark state={reason} />, value: numberText(subUsers) };
							}),
							{ name: homeTexts.together, value: <Count of={count} href={BY_REFUSED} />, isSum: true },
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
		cell: ({ reseller, by_reason }) => (
			<div>
				<Anchor component={Link} href={refusedOf(reseller)} size="sm">
					<Name>{reseller}</Name>
				</Anchor>
				<Text size="sm" c="dimmed">
					{reasonsOf(by_reason)
						.map(([reason, subUsers]) => `${termsTexts.states[reason]}: ${numberText(subUsers)}`)
						.join(' · ')}
				</Text>
			</div>
		),
	},
	{
		name: homeTexts.refusedCount,
		isNumber: true,
		cell: ({ reseller, count }) => <Count of={count} href={refusedOf(reseller)} />,
	},
];

function Count({ of, href }: { readonly of: number; readonly href: string }) {
	return (
		<Anchor component={Link} href={href} inherit>
			{numberText(of)}
		</Anchor>
	);
}

function refusedOf(reseller: string): string {
	return `${resellerSubUsersPath(reseller)}?state=refused`;
}

/** The reasons of some sub-users, in one order. */
function reasonsOf(byReason: RefusedByReason): readonly (readonly [RefusedReason, number])[] {
	return REFUSED_REASONS.flatMap((reason) => {
		const count = byReason[reason] ?? 0;
		return count > 0 ? [[reason, count] as const] : [];
	});
}
