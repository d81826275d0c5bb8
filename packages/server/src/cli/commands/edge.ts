import { CommandError, printTable, say } from '@bursar/terminal';
import { Command, InvalidArgumentError } from 'commander';
import { type Config, edgeUrlOf } from '../../config.ts';
import { joinUrl, newEdgeKey, newLink } from '../../credentials.ts';
import { type Edge, isEdgeName } from '../../domain/edge.ts';
import { iso, printResult, resultLines } from '../output.ts';
import { refusalError } from '../refusals.ts';
import { inSession } from '../session.ts';
import { assertOutputOpen, printOnce } from '../shown-once.ts';

interface Options {
	readonly json?: boolean;
}

interface CreateOptions extends Options {
	readonly key?: true;
}

const EXAMPLE = '\nExample:\n  $ bursar edge create frankfurt-1\n';

/** `bursar edge ...` */
export function edgeCommand(): Command {
	const edge = new Command('edge').description('Create, list and revoke the keys of proxy hosts.');
	edge.addHelpText('after', EXAMPLE);

	edge
		.command('create')
		.description(
			'create an edge, or make a revoked one work again, and print a link for its proxy host, only this once',
		)
		.argument('<name>', 'name of the proxy host', edgeName)
		.option('--key', 'print a key instead of a link')
		.addHelpText(
			'after',
			`
A name has 1 to 63 lowercase letters, digits, periods and hyphens. Install bursar-edge on that
proxy host, and run the command that is printed there, as root: it makes a key. The link is good for 24 hours and for one use. It replaces an earlier link that was not used. Set
BURSAR_EDGE_URL to the address at which proxy hosts reach the edge listener. A key is for programs of your own. An edge that is created again goes on with its counters.
${EXAMPLE}`,
		)
		.action((name: string, options: CreateOptions) => (options.key ? createWithKey : createWithLink)(name, options));

	edge
		.command('list')
		.description('list all edges: when each was last seen, and how far it has reported')
		.addHelpText('after', '\nExample:\n  $ bursar edge list --json\n')
		.action((options: Options) => listEdges(options));

	edge
		.command('revoke')
		.description('end the key and the link of an edge: within seconds it is refused everywhere')
		.argument('<name>', 'name of the edge', edgeName)
		.addHelpText('after', '\nExample:\n  $ bursar edge revoke frankfurt-1\n')
		.action((name: string, options: Options) => revokeEdge(name, options));
	return edge;
}

async function createWithLink(name: string, { json }: Options): Promise<void> {
	assertOutputOpen('link');
	const { secret, linkHash } = newLink();
	const { outcome, edgeUrl } = await inSession(async ({ bank, config }) => ({
		// First, because a link that was made must be shown.
		edgeUrl: knownEdgeUrl(config),
		outcome: await bank.changePerson({ kind: 'link_edge', name, linkHash }),
	}));
	if (!outcome.ok) throw refusalError(outcome);
	const link = joinUrl(edgeUrl, secret);
	const result = { name, link, link_expires: iso(outcome.expiresAtMs) };
	await printOnce(
		json ? resultLines(result, json) : [...resultLines(result, json), '', `  bursar-edge join '${link}'`],
		{
			shown: 'link',
			done: `the edge ${name} was created`,
			remedy: `: bursar edge create ${name}`,
			fields: { name },
		},
	);
	if (json) return;
	say(
		'First install bursar-edge on the proxy host. Then run this command there, as root. The link is shown only this once. It is good for 24 hours, and for one use.',
	);
}

/** The address for links. Throws if the settings do not tell one. */
function knownEdgeUrl(config: Config): string {
	const edgeUrl = edgeUrlOf(config);
	if (edgeUrl !== undefined) return edgeUrl;
	const why =
		config.edgePort === undefined
			? 'BURSAR_EDGE_PORT is not set here'
			: 'BURSAR_EDGE_HOST and BURSAR_EDGE_PORT name no address';
	throw new CommandError(
		'no_edge_url',
		`${why}: set BURSAR_EDGE_URL to the address at which proxy hosts reach the edge listener, such as https://edge.bursar.example, or use --key; nothing was done`,
	);
}

async function createWithKey(name: string, { json }: Options): Promise<void> {
	assertOutputOpen('key');
	const { key, ...kept } = newEdgeKey();
	const outcome = await inSession(({ bank }) => bank.changePerson({ kind: 'create_edge', name, ...kept }));
	if (!outcome.ok) throw refusalError(outcome);
	await printOnce(resultLines({ name, key }, json), {
		shown: 'key',
		done: `the edge ${name} was created`,
		remedy: `: bursar edge revoke ${name}, then bursar edge create --key ${name}`,
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
		state: stateOf(edge),
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
			key_tail === '' ? '-' : `...${key_tail}`,
			last_seen ?? '-',
			reported_to ?? '-',
			lag_seconds === null ? '-' : `${lag_seconds} s`,
			String(checks),
			String(refusals),
		]),
	);
}

function stateOf({ keyHash, revokedAtMs }: Edge): 'revoked' | 'waiting' | 'active' {
	if (revokedAtMs !== null) return 'revoked';
	// For its host to join.
	return keyHash === null ? 'waiting' : 'active';
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
