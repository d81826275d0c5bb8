import { type AnyAct, accountOfAct, type TeamAct } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { usePresence } from '../../calls/presence.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { resellerPath, resellerSubUserPath } from '../../page/paths.ts';
import { actText } from './act-text.ts';
import { DetailLines } from './detail-lines.tsx';
import { actsTexts } from './texts.ts';

/** Operators also see which reseller an act is of, and which of their programs or who on the command line did it. */
type ShownAct = TeamAct & Partial<Pick<AnyAct, 'reseller' | 'operator_token' | 'system_user'>>;

interface Props {
	readonly acts: readonly ShownAct[];
	readonly isStale: boolean;
}

export function ActsTable({ acts, isStale }: Props) {
	return (
		<Table label={actsTexts.label} columns={COLUMNS} rows={acts} keyOf={({ number }) => number} isStale={isStale} />
	);
}

const COLUMNS: readonly Column<ShownAct>[] = [
	{ name: actsTexts.at, onCard: 'left', cell: ({ at }) => <Moment at={at} /> },
	{ name: actsTexts.act, onCard: 'left', isPlain: true, cell: (act) => <Deed act={act} /> },
	{ name: actsTexts.person, isPlain: true, cell: (act) => <Doer act={act} /> },
	{ name: actsTexts.address, onCard: 'right', cell: ({ address }) => address },
];

function Deed({ act }: { readonly act: ShownAct }) {
	return (
		<div>
			<WithLink text={actText(act)} act={act} />
			<DetailLines act={act} />
		</div>
	);
}

/** The sub-user that an act is about leads to its page. */
function WithLink({ text, act }: { readonly text: string; readonly act: ShownAct }) {
	const own = usePresence().data?.person?.reseller;
	const reseller = act.reseller ?? own;
	const name = accountOfAct(act);
	const start = text.indexOf(`: ${name}`) + 2;
	if (name === null || start < 2 || reseller == null || name === reseller) return text;
	const href = own == null ? resellerSubUserPath(reseller, name) : `/sub-users/${encodeURIComponent(name)}`;
	return (
		<>
			{text.slice(0, start)}
			<Anchor component={Link} href={href} inherit underline="always">
				{name}
			</Anchor>
			{text.slice(start + name.length)}
		</>
	);
}

/** A person, a program or the command line, and its reseller. For an act of an operator: the reseller that it is about. */
function Doer({ act }: { readonly act: ShownAct }) {
	const { email, reseller, token_tail, operator_token, system_user, by_operator } = act;
	return (
		<div>
			{email !== null && <Name>{email}</Name>}
			{token_tail !== null && actsTexts.program(token_tail)}
			{operator_token ?? system_user}
			{by_operator && (
				<Text size="sm" c="dimmed">
					{operatorText(act)}
				</Text>
			)}
			{reseller != null && (
				<Anchor component={Link} href={resellerPath(reseller)} size="sm" display="block" w="fit-content">
					<Name>{reseller}</Name>
				</Anchor>
			)}
		</div>
	);
}

/** In which way an operator did it. */
function operatorText({ operator_token, system_user }: ShownAct): string {
	if (operator_token != null) return actsTexts.operatorProgram;
	return system_user == null ? actsTexts.operator : actsTexts.commandLine;
}
