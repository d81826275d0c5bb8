import type { PersonsAct } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Email } from '../../../frame/email.tsx';
import { Moment } from '../../../frame/moment.tsx';
import { type Column, Table } from '../../../frame/table.tsx';
import { actsTexts } from '../../../texts/acts.ts';
import { actText } from '../../account/act-text.ts';
import { resellerPath } from '../../resellers/reseller-path.ts';

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
	{ name: actsTexts.at, cell: ({ at }) => <Moment at={at} /> },
	{ name: actsTexts.act, isPlain: true, cell: actText },
	{ name: actsTexts.person, cell: (act) => <Person act={act} /> },
	{ name: actsTexts.address, cell: ({ address }) => address },
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
