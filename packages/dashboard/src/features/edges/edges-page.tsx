import type { ListedEdge } from '@bursar/contract/dashboard';
import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useServerNow } from '../../calls/server-clock.ts';
import { useRead } from '../../calls/use-read.ts';
import { numberText } from '../../format/number.ts';
import { Empty } from '../../lists/empty.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { Answered } from '../../page/answered.tsx';
import { Ago, Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { Page } from '../../page/page.tsx';
import { StateBadge } from '../../page/state-badge.tsx';
import { pageNames } from '../../shell/texts.ts';
import { CreateEdge, type NewEdgePath, RevokeEdge } from './edge-actions.tsx';
import { isQuiet } from './is-quiet.ts';
import { edgesTexts } from './texts.ts';

/** The proxy hosts, for operators. */
export function EdgesPage() {
	const query = useRead('/operator/edges', {}, { staleMs: 0, everyMs: 10_000 });
	return (
		<Page
			title={pageNames.edges}
			help="edge"
			lead={edgesTexts.lead}
			actions={
				<Group gap="lg">
					<Anchor component={Link} href="/connect" size="sm">
						{edgesTexts.connect}
					</Anchor>
					<CreateEdge
						path="/operator/edges/link"
						reason={query.data?.edge_url === null ? edgesTexts.noAddress : undefined}
						before={<CreateEdge path="/operator/edges/create" />}
					/>
				</Group>
			}
		>
			<Answered query={query}>
				{({ edges, edge_url }) =>
					edges.length === 0 ? (
						<Empty>{edgesTexts.none}</Empty>
					) : (
						<Paper withBorder p={{ base: 'md', sm: 'lg' }}>
							<Stack gap="md">
								<EdgesTable
									edges={edges}
									again={edge_url === null ? '/operator/edges/create' : '/operator/edges/link'}
								/>
								<Text size="sm" c="dimmed">
									{edgesTexts.quietHint}
								</Text>
							</Stack>
						</Paper>
					)
				}
			</Answered>
		</Page>
	);
}

interface TableProps {
	readonly edges: readonly ListedEdge[];
	/** How an edge without a key gets one. */
	readonly again: NewEdgePath;
}

function EdgesTable({ edges, again }: TableProps) {
	return (
		<Table
			label={edgesTexts.label}
			columns={[...COLUMNS, actionsColumn(again)]}
			rows={edges}
			keyOf={({ name }) => name}
		/>
	);
}

function actionsColumn(again: NewEdgePath): Column<ListedEdge> {
	return {
		name: edgesTexts.actions,
		isPlain: true,
		isNumber: true,
		cell: ({ name, revoked, link_expires }) => (
			<Group gap={4} justify="flex-end">
				{(revoked !== null || link_expires !== null) && <CreateEdge path={again} name={name} />}
				{revoked === null && <RevokeEdge name={name} />}
			</Group>
		),
	};
}

const COLUMNS: readonly Column<ListedEdge>[] = [
	{
		name: edgesTexts.name,
		cell: (edge) => (
			<>
				<Text component="span" size="sm" fw={500}>
					<Name>{edge.name}</Name>
				</Text>
				<Since edge={edge} />
				{edge.link_expires !== null && <Waits until={edge.link_expires} />}
			</>
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
	{
		name: edgesTexts.key,
		isNumber: true,
		cell: ({ key_tail }) => (key_tail === '' ? edgesTexts.noKey : <code>{key_tail}</code>),
	},
];

function ReportedTo({ edge }: { readonly edge: ListedEdge }) {
	const nowMs = useServerNow(1000);
	const { reported_to } = edge;
	return (
		<div>
			<div>{reported_to === null ? edgesTexts.nothing : <Ago at={reported_to} />}</div>
			{isQuiet(edge, nowMs) && <StateBadge tone="waiting">{edgesTexts.quiet}</StateBadge>}
		</div>
	);
}

/** When it was created, or lost its key. Below the name, so that the columns fit beside the navigation. */
function Since({ edge: { created, revoked } }: { readonly edge: ListedEdge }) {
	return (
		<Text size="sm" c="dimmed">
			{revoked === null ? edgesTexts.created : edgesTexts.revoked} <Moment at={revoked ?? created} />
		</Text>
	);
}

/** Says that a host has not joined yet, and until when it can. */
function Waits({ until }: { readonly until: string }) {
	const isOver = useServerNow(1000) >= Date.parse(until);
	return (
		<Text size="sm" c="dimmed">
			{isOver ? edgesTexts.waitedUntil : edgesTexts.waits} <Moment at={until} />
		</Text>
	);
}

function countText(count: number): string {
	return numberText(count);
}
