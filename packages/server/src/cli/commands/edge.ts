import { printTable, say } from '@bursar/terminal';
import { Command, InvalidArgumentError } from 'commander';
import { newEdgeKey } from '../../credentials.ts';
import { type Edge, isEdgeName } from '../../domain/edge.ts';
import { iso, printResult, resultLines } from '../output.ts';
import { refusalError } from '../refusals.ts';
import { inSession } from '../session.ts';
import { assertOutputOpen, printOnce } from '../shown-once.ts';

interface Options {
	readonly json?: boolean;
}

const EXAMPLE = '\nExample:\n  $ bursar edge create frankfurt-1\n';

/** `bursar edge ...` */
export function edgeCommand(): Command {
	const edge = new Command('edge').description('Create, list and revoke the keys of proxy hosts.');
	edge.addHelpText('after', EXAMPLE);

	edge
		.command('create')
		.description('create an edge, or make a revoked one work again, and print its key, only this once')
		.argument('<name>', 'name of the proxy host', edgeName)
		.addHelpText(
			'after',
			`
A name has 1 to 63 lowercase letters, digits, periods and hyphens. The key is for BURSAR_EDGE_KEY of that proxy host. An
edge that is created again goes on with its counters.
${EXAMPLE}`,
		)
		.action((name: string, options: Options) => createEdge(name, options));

	edge
		.command('list')
		.description('list all edges: when each was last seen, and how far it has reported')
		.addHelpText('after', '\nExample:\n  $ bursar edge list --json\n')
		.action((options: Options) => listEdges(options));

	edge
		.command('revoke')
		.description('end the key of an edge: within seconds it is refused everywhere')
		.argument('<name>', 'name of the edge', edgeName)
		.addHelpText('after', '\nExample:\n  $ bursar edge revoke frankfurt-1\n')
		.action((name: string, options: Options) => revokeEdge(name, options));
	return edge;
}

async function createEdge(name: string, { json }: Options): Promise<void> {
	assertOutputOpen('key');
	const { key, ...kept } = newEdgeKey();
	const outcome = await inSession(({ bank }) => bank.changePerson({ kind: 'create_edge', name, ...kept }));
	if (!outcome.ok) throw refusalError(outcome);
	await printOnce(resultLines({ name, key }, json), {
		shown: 'key',
		done: `the edge ${name} was created`,
		remedy: `: bursar edge revoke ${name}, then bursar edge create ${name}`,
		fields: { name },
	});
	if (!json) say('The key is shown only this once: the store keeps only its hash.');
}

async function listEdges({ json }: Options): Promise<void> {
	const { edges, nowMs } = await inSession(async ({ store }) => ({
		edges: await store.listEdges(),
		nowMs: store.nowMs(),
	}));
	const rows = edges.map((edge) => ({
		name: edge.name,
		state: edge.keyHash === null ? 'revoked' : 'active',
		key_tail: edge.keyTail,
		date_created: iso(edge.createdAtMs),
		last_seen: iso(edge.lastSeenAtMs),
		reported_to: iso(edge.reportedToMs),
		lag_seconds: lagSeconds(edge, nowMs),
		checks: edge.checks,
		refusals: edge.refusals,
	}));
	if (json) return printResult({ edges: rows }, true);
	printTable(
		[
			{ title: 'NAME' },
			{ title: 'STATE' },
			{ title: 'KEY' },
			{ title: 'LAST SEEN' },
			{ title: 'REPORTED TO' },
			{ title: 'LAG', isNumber: true },
			{ title: 'CHECKS', isNumber: true },
			{ title: 'REFUSALS', isNumber: true },
		],
		rows.map(({ name, state, key_tail, last_seen, reported_to, lag_seconds, checks, refusals }) => [
			name,
			state,
			`...${key_tail}`,
			last_seen ?? '-',
			reported_to ?? '-',
			lag_seconds === null ? '-' : `${lag_seconds} s`,
			String(checks),
			String(refusals),
		]),
	);
}

/** How long ago the newest reading was taken. An edge without traffic has nothing to report, and its lag grows. */
function lagSeconds({ reportedToMs }: Edge, nowMs: number): number | null {
	return reportedToMs === null ? null : Math.max(0, Math.round((nowMs - reportedToMs) / 1000));
}

async function revokeEdge(name: string, { json }: Options): Promise<void> {
	const outcome = await inSession(({ bank }) => bank.changePerson({ kind: 'revoke_edge', name }));
	if (!outcome.ok) throw refusalError(outcome);
	printResult({ name, state: 'revoked' }, json);
}

function edgeName(text: string): string {
	if (isEdgeName(text)) return text;
	throw new InvalidArgumentError(
		'It must have 1 to 63 lowercase letters, digits, periods and hyphens, and begin and end with a letter or digit.',
	);
}
