import type { ListedEdge } from '@bursar/contract/dashboard';
import { Badge, Text } from '@mantine/core';
import '@mantine/core/styles/Badge.css';
import { useServerNow } from '../../../api/use-server-now.ts';
import { Ago } from '../../../frame/ago.tsx';
import { Moment } from '../../../frame/moment.tsx';
import { type Column, Table } from '../../../frame/table.tsx';
import { edgesTexts } from '../../../texts/edges.ts';
import { isQuiet } from '../is-quiet.ts';

export function EdgesTable({ edges }: { readonly edges: readonly ListedEdge[] }) {
	return <Table label={edgesTexts.label} columns={COLUMNS} rows={edges} keyOf={({ name }) => name} />;
}

const COLUMNS: readonly Column<ListedEdge>[] = [
	{
		name: edgesTexts.name,
		cell: ({ name }) => (
			<Text component="span" size="sm" fw={500}>
				{name}
			</Text>
		),
	},
	{
		name: edgesTexts.lastSeen,
		isNumber: true,
		cell: ({ last_seen }) => (last_seen === null ? edgesTexts.never : <Ago at={last_seen} />),
	},
	{ name: edgesTexts.reportedTo, isNumber: true, cell: (edge) => <ReportedTo edge={edge} /> },
	{ name: edgesTexts.checks, isNumber: true, cell: ({ checks }) => countText(checks) },
	{ name: edgesTexts.refusals, isNumber: true, cell: ({ refusals }) => countText(refusals) },
	{ name: edgesTexts.key, isNumber: true, cell: ({ key_tail }) => <code>{key_tail}</code> },
	{ name: edgesTexts.created, isNumber: true, cell: (edge) => <Created edge={edge} /> },
];

function ReportedTo({ edge }: { readonly edge: ListedEdge }) {
	const nowMs = useServerNow(1000);
	const { reported_to } = edge;
	return (
		<div>
			<div>{reported_to === null ? edgesTexts.nothing : <Ago at={reported_to} />}</div>
			{isQuiet(edge, nowMs) && (
				<Badge variant="light" color="yellow" c="var(--mantine-color-text)" tt="none">
					{edgesTexts.quiet}
				</Badge>
			)}
		</div>
	);
}

function Created({ edge: { created, revoked } }: { readonly edge: ListedEdge }) {
	return (
		<div>
			<div>
				<Moment at={created} />
			</div>
			{revoked !== null && (
				<Text size="sm" c="dimmed">
					{edgesTexts.revoked} <Moment at={revoked} />
				</Text>
			)}
		</div>
	);
}

function countText(count: number): string {
	return count.toLocaleString('en-US');
}
