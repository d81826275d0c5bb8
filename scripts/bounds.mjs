// Writes docs/bounds.md from the `@bound` tags of the sources. With --check, it only says whether the page is up to date.
// A tag stands in the comment of a constant, a property or a default: `@bound What is bounded: what happens beyond it.`
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { runInNewContext } from 'node:vm';
import { root } from './pinned-node.mjs';

const PAGE = join(root, 'docs/bounds.md');
const INTRODUCTION = `# Bounds

No client can make Bursar hold data or wait without a bound. Beyond a bound, something is refused, left out or given up, as
the column *beyond it* says. The words in bounds of several parts are those of the code.

\`npm run format\` makes this page from the comments of the constants: change it there.
`;

/** The parts of the page, and the paths of which their files begin. The first that fits counts. */
const PARTS = {
	People: [
		'packages/contract/src/dashboard/email',
		'packages/server/src/commands/people',
		'packages/server/src/domain/people',
		'packages/server/src/http/dashboard/account',
		'packages/server/src/http/dashboard/factors',
		'packages/server/src/http/dashboard/sessions',
		'packages/server/src/http/dashboard/sign-in',
		'packages/server/src/password',
	],
	'The dashboard': [
		'packages/contract/src/bulk',
		'packages/contract/src/dashboard',
		'packages/dashboard',
		'packages/server/src/domain/operators',
		'packages/server/src/http/dashboard',
	],
	'Proxy hosts at the service': [
		'packages/contract/src/edge',
		'packages/server/src/domain/edge',
		'packages/server/src/domain/usage-',
		'packages/server/src/http/edge',
	],
	Mail: ['packages/server/src/domain/mail', 'packages/server/src/mail', 'packages/server/src/store/tables/mail'],
	Webhooks: ['packages/contract/src/webhook', 'packages/server/src/webhooks'],
	"The operator's command line": ['packages/server/src/cli'],
	Changes: ['packages/server/src/bank', 'packages/server/src/commands', 'packages/server/src/domain'],
	'The store': ['packages/server/src/store'],
	'Requests and connections': ['packages/contract', 'packages/server'],
	'The proxy host, with Squid': ['packages/edge/src/squid'],
	'The proxy host': ['packages/edge'],
	'The client': ['packages/client'],
	bursarctl: ['packages/cli'],
	'Connections of the proxy and of webhooks': ['packages/terminal/src/network'],
	'All command lines': ['packages/terminal'],
};

const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
	.map((name) => name.replaceAll('\\', '/'))
	.sort()
	.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const exported = Object.assign({}, ...files.map(({ text }) => constantsOf(text, 'export ')));

const rows = files.flatMap(boundsOf);
const tables = Object.keys(PARTS).map((part) => {
	const lines = rows.filter(({ file }) => partOf(file) === part).map(lineOf);
	if (lines.length === 0) return '';
	return `\n## ${part}\n\n| what | bound | beyond it | where |\n|---|---|---|---|\n${lines.join('')}`;
});
const page = INTRODUCTION + tables.join('');

if (!process.argv.includes('--check')) writeFileSync(PAGE, page);
else if (readFileSync(PAGE, 'utf8') !== page) {
	process.stderr.write('docs/bounds.md is out of date. Write it with `node scripts/bounds.mjs`.\n');
	process.exit(1);
}

function partOf(file) {
	return Object.keys(PARTS).find((part) => PARTS[part].some((path) => file.startsWith(path)));
}

/** The tags of a file, with what stands below their comments. */
function boundsOf({ file, text }) {
	const constants = { ...exported, ...constantsOf(text, '(?:export )?') };
	return Array.from(text.matchAll(/\/\*\*(?:(?!\*\/).)*?@bound (.*?)\*\/\s*/gs), (tagged) => {
		const sentence = tagged[1].replace(/\s+\*\s/g, ' ').trim();
		const [what, beyond] = sentence.split(/: (.*)/s);
		const [name, expression] = declarationOf(text.slice(tagged.index + tagged[0].length));
		if (!beyond || !name) throw new Error(`${file}: a tag has the wrong form, or is at no constant: ${sentence}`);
		return { file, what, beyond, value: expression ? shown(name, evaluated(expression, constants)) : '' };
	});
}

/** The name and the expression of a constant, a property, a default or an option of a command. A function or a verb has only a name. */
function declarationOf(text) {
	const constant = /^(?:export )?const ([A-Z]\w*)(?:: [^=]+)? = (.*?);\n/s.exec(text);
	const property = /^(\w+)(?::| =) (.*),\n/.exec(text);
	const option = /^\.option\('--([\w-]+).*, ([\d_]+)\)/.exec(text);
	const verb = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(text);
	return (constant ?? property ?? option ?? verb ?? []).slice(1);
}

/** The expressions of the constants of a file, by name. */
function constantsOf(text, before) {
	const found = text.matchAll(new RegExp(`^${before}const ([A-Z]\\w*)(?:: [^=\\n]+)? = (.*?);\\n`, 'gms'));
	return Object.fromEntries(Array.from(found, ([, name, expression]) => [name, expression]));
}

function evaluated(expression, constants) {
	// The default of a setting is the second argument of `read`.
	const scope = { read: (_name, value) => value };
	for (const [name] of expression.matchAll(/\b[A-Z][A-Z0-9_]+\b/g))
		if (name in constants) scope[name] = evaluated(constants[name], constants);
	return runInNewContext(`(${expression.replace(/ (?:as const|satisfies)\b.*$/s, '')})`, scope);
}

/** A value for readers, with the unit that its name says. */
function shown(name, value) {
	if (Array.isArray(value)) return value.map((item) => shown(name, item)).join(', ');
	if (typeof value === 'object') return shownParts(name, value);
	if (value === Number.MAX_SAFE_INTEGER) return '2^53 - 1';
	if (value === Number.POSITIVE_INFINITY) return 'none';
	if (isTime(name)) return inUnits(value, { d: 86_400_000, h: 3_600_000, min: 60_000, s: 1_000, ms: 1 });
	if (/seconds$/i.test(name)) return shown('ms', value * 1_000);
	if (/mebibytes/i.test(name)) return inUnits(value, { GiB: 1_024, MiB: 1 });
	if (/bytes/i.test(name)) return inUnits(value, { MiB: 2 ** 20, MB: 1_000_000, KiB: 1_024, bytes: 1 });
	return value.toLocaleString('en');
}

function shownParts(name, { burst, intervalMs, ...parts }) {
	if (burst !== undefined) return `${burst} at once, then one each ${shown('ms', intervalMs)}`;
	const entries = Object.entries(parts);
	if (entries.length === 1) return shown(...entries[0]);
	return entries
		.map(([key, item]) => [words(key), shown(isTime(name) ? name : key, item)])
		.map(([key, text]) => (text.includes(':') ? `${key} (${text.replace(';', ',')})` : `${key}: ${text}`))
		.join('; ');
}

function isTime(name) {
	return /(?:^ms|_MS|Ms)$/.test(name);
}

/** In the largest unit of which it is a whole number. Seconds may have a decimal. */
function inUnits(value, units) {
	const fits = ([unit, size]) => value >= size && Number.isInteger((value / size) * (unit === 's' ? 10 : 1));
	const [unit, size] = Object.entries(units).find(fits);
	return `${(value / size).toLocaleString('en')} ${unit}`;
}

function words(key) {
	return key.replace(/(?:Ms|Bytes)$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function lineOf({ file, what, value, beyond }) {
	return `| ${what} | ${value} | ${beyond.replace(/\.$/, '')} | [${posix.basename(file)}](../${file}) |\n`;
}
