import type { PersonsAct } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { type Column, Table } from '../../lists/table.tsx';
import { Email } from '../../page/email.tsx';
import { Moment } from '../../page/moment.tsx';
import { resellerPath } from '../resellers/use-reseller.ts';
import { actText } from './act-text.ts';
import { actsTexts } from './texts.ts';

interface Props {
	readonly acts: readonly PersonsAct[];
	readonly isStale: boolean;
}

export function ActsTable({ acts, isStale }: Props) {
	return (
		<Table label={actsTexts.label} columns={COLUMNS} rows={acts} keyOf={({ number }) => number} isStale={isStale} />
	);
}

const COLUMNS: readonly Column<PersonsAct>[] = [
	{ name: actsTexts.at, onCard: 'left', cell: ({ at }) => <Moment at={at} /> },
	{ name: actsTexts.act, onCard: 'left', isPlain: true, cell: actText },
	{ name: actsTexts.person, isPlain: true, cell: (act) => <Person act={act} /> },
	{ name: actsTexts.address, onCard: 'right', cell: ({ address }) => address },
];

function Person({ act: { email, reseller } }: { readonly act: PersonsAct }) {
	return (
		<div>
			<Email address={email} />
			<Text size="sm" c="dimmed">
				{reseller === null ? (
					actsTexts.operator
				) : (
					<Anchor component={Link} href={resellerPath(reseller)} size="sm">
						{reseller}
					</Anchor>
				)}
			</Text>
		</div>
	);
}
