// Which Markdown of the repository is on the site, at which address, and in which order the navigation lists it.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

export const ROOT = dirname(import.meta.dirname);

/** Pages of which the address does not follow from their path. */
const ADDRESSES: Readonly<Record<string, string>> = {
	'site/index.md': 'index.md',
	'site/api-reference.md': 'api-reference.md',
	'README.md': 'start.md',
	'CHANGELOG.md': 'changelog.md',
	'CONTRIBUTING.md': 'contributing.md',
	'SECURITY.md': 'security.md',
	'conformance/README.md': 'conformance.md',
	'docs/ARCHITECTURE.md': 'architecture.md',
	'packages/cli/README.md': 'bursarctl.md',
	'packages/dashboard/README.md': 'dashboard.md',
	'packages/edge/README.md': 'bursar-edge.md',
};

/** Markdown that is not on the site. */
export const LEFT_OUT = [
	// The pattern takes `client` for `cli`.
	'packages/client/**',
	'packages/!(cli|dashboard|edge)/**',
	'packages/*/!(README.md)/**',
	'conformance/!(README.md)/**',
	'{bench,clients,data,release,scripts,tools}/**',
	'site/!(index.md|api-reference.md)/**',
];

/** Where a Markdown file of the repository is on the site, also as a Markdown file; `undefined` if it is not there. */
export function addressOf(file: string): string | undefined {
	if (file in ADDRESSES) return ADDRESSES[file];
	if (!file.startsWith('docs/') || !file.endsWith('.md')) return undefined;
	return file.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md');
}

interface Entry {
	readonly text: string;
	readonly link?: string;
	readonly collapsed?: boolean;
	readonly items?: readonly Entry[];
}

/** The sections of the site, by reader. All of it can be reached from here. */
export function sidebar(): readonly Entry[] {
	return [
		section('Start', [page('README.md', 'Start'), page('CHANGELOG.md'), page('SECURITY.md')]),
		section('Operate', [
			page('docs/operating/README.md'),
			...tableOf('docs/operating/README.md').map((file) => page(file)),
			page('docs/operator-api.md'),
		]),
		section("Resellers' developers", [
			page('docs/api.md'),
			page('docs/packages.md'),
			page('docs/billing-modules.md'),
			page('site/api-reference.md'),
			page('docs/client.md', 'Client'),
			page('packages/cli/README.md'),
		]),
		section('Proxy hosts', [
			page('docs/edge/README.md', 'Set up and run'),
			page('docs/edge/upstreams.md'),
			page('docs/edge/outgoing-addresses.md'),
			page('docs/edge/denied-destinations.md'),
			page('docs/edge/squid.md'),
			page('docs/edge/protocol.md'),
			page('packages/edge/README.md'),
		]),
		section('Contribute', [
			page('CONTRIBUTING.md'),
			page('docs/ARCHITECTURE.md'),
			page('packages/dashboard/README.md'),
			page('docs/bounds.md'),
			page('docs/benchmarks.md'),
			page('conformance/README.md'),
			page('docs/releasing.md'),
			section('Decisions', [page('docs/decisions/README.md', 'All decisions'), ...decisions()]),
		]),
	];
}

function section(text: string, items: readonly Entry[]): Entry {
	return { text, collapsed: true, items };
}

/** A page, under its title unless another text is given. */
function page(file: string, text = titleOf(file)): Entry {
	return { text, link: linkTo(file) };
}

/** The link to a page, from the root of the site. */
export function linkTo(file: string): string {
	const address = addressOf(file);
	if (address === undefined || !existsSync(join(ROOT, file))) throw new Error(`${file} is not on the site`);
	return `/${address.replace(/(?:^|(?<=\/))index\.md$/, '').replace(/\.md$/, '.html')}`;
}

function titleOf(file: string): string {
	const title = /^# (.+)$/m.exec(read(file))?.[1];
	if (title === undefined) throw new Error(`${file} has no title`);
	return title;
}

/** The pages of the same folder that the table of a page lists, in its order. */
function tableOf(file: string): readonly string[] {
	const rows = read(file).match(/^\|.*$/gm) ?? [];
	return rows.flatMap((row) =>
		Array.from(row.matchAll(/\]\(([\w-]+\.md)/g), ([, name = '']) => posix.join(dirname(file), name)),
	);
}

/** The groups of the index of decisions. */
function decisions(): readonly Entry[] {
	const [, ...groups] = read('docs/decisions/README.md').split(/^## /m);
	return groups.map((group) => ({
		text: group.slice(0, group.indexOf('\n')),
		collapsed: true,
		items: Array.from(group.matchAll(/^- \[(\d+)\]\((.+)\): (.+)$/gm), ([, number, name, title = '']) =>
			page(`docs/decisions/${name}`, `${number}: ${title.replaceAll('`', '')}`),
		),
	}));
}

/** The path of a decision, by its number. */
export function decisionPage(number: string): string {
	const [file] = globSync(`docs/decisions/${number}-*.md`, { cwd: ROOT });
	if (file === undefined) throw new Error(`there is no decision ${number}`);
	return file.replaceAll('\\', '/');
}

function read(file: string): string {
	return readFileSync(join(ROOT, file), 'utf8');
}
