import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';

const SOURCE = resolve(import.meta.dirname, '../src');
const CONTRACT = resolve(import.meta.dirname, '../../contract/src');
const REPOSITORY = resolve(import.meta.dirname, '../../..');

function words(text: string): readonly string[] {
	return text.split(' ');
}

/**
 * The parts that each part may import. A part is a file or folder of `src`. In `http`, each audience has its own part,
 * which no other audience may import. Every part may import the contract package.
 */
const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
	domain: [],
	commands: ['domain'],
	bank: words('commands domain store/store.ts store/tables store/reading.ts fair-queue.ts'),
	store: words('commands domain fair-queue.ts installation.ts'),
	webhooks: words('bank domain store/store.ts store/tables store/reading.ts version.ts'),
	mail: words('bank commands domain credentials.ts html-text.ts loopback.ts outage-log.ts store/store.ts store/tables'),
	'payments/settings.ts': words('loopback.ts settings-reader.ts'),
	'payments/providers': words('domain payments/provider.ts payments/settings.ts'),
	payments: words('bank commands domain store/store.ts store/tables store/reading.ts outage-log.ts version.ts'),
	'http/server': words('store/reading.ts credentials.ts domain/people/tries.ts'),
	'http/reseller': [
		...words(
			'http/server http/sub-user-limits.ts http/sub-user-refusals.ts http/movement-view.ts http/further-token-view.ts',
		),
		...words('bank commands domain store/reading.ts store/tables credentials.ts'),
		...words('http/top-up-view.ts http/top-up-page.ts payments/top-ups.ts'),
	],
	'http/top-up-view.ts': ['domain'],
	'http/top-up-page.ts': words('domain store/tables'),
	'http/payments': words('http/server payments/hints.ts payments/provider.ts'),
	'http/sub-user-limits.ts': words('domain store/tables'),
	'http/sub-user-refusals.ts': words('domain store/tables'),
	'http/movement-view.ts': words('domain store/tables'),
	'http/further-token-view.ts': words('domain store/tables'),
	'http/bandwidth': words('domain store/tables'),
	'http/docs': words('http/server installation.ts'),
	'http/dashboard': [
		...words('http/server http/sub-user-limits.ts http/sub-user-refusals.ts http/bandwidth bank commands domain'),
		...words('store/tables store/reading.ts'),
		...words('mail/stop-links.ts html-text.ts http/top-up-view.ts payments/top-ups.ts'),
		...words('credentials.ts installation.ts seen-request.ts passwords.ts password-turns.ts weak-passwords.ts'),
	],
	'http/edge': [
		...words(
			'http/server http/docs bank commands domain store/reading.ts store/gather.ts credentials.ts fair-queue.ts',
		),
		'store/tables',
	],
	'http/operator': [
		...words(
			'http/server http/docs http/sub-user-limits.ts http/sub-user-refusals.ts http/movement-view.ts http/further-token-view.ts',
		),
		...words('http/bandwidth bank commands domain store/reading.ts store/tables credentials.ts'),
		...words('http/top-up-view.ts http/top-up-page.ts payments/top-ups.ts'),
	],
	'http/ops': [...words('http/server bank commands domain/edge.ts domain/mail/mail.ts store/store.ts'), 'store/tables'],
	'http/public-listener.ts': words(
		'http/server http/reseller http/docs http/dashboard http/payments payments/hints.ts',
	),
	cli: [
		...words('bank commands domain store/store.ts store/copying/copy-error.ts store/database-url.ts'),
		...words('store/examination.ts http/server/connections/open-files.ts config.ts credentials.ts passwords.ts'),
		...words('engine.ts installation.ts loopback.ts payments seen-request.ts service.ts version.ts'),
		'store/tables',
	],
	'service.ts': [
		...words('bank commands http store config.ts engine.ts mail payments webhooks outage-log.ts passwords.ts'),
		...words('seen-request.ts store-health.ts version.ts'),
	],
	'store-health.ts': words('bank/write-health.ts outage-log.ts'),
	'engine.ts': words('store config.ts'),
	'version.ts': ['../package.json'],
	'config.ts': [
		...words('domain store/database-url.ts store/secrets/master-key.ts proxy-settings.ts mail/smtp-url.ts'),
		...words('mail/sender.ts payments/settings.ts settings-reader.ts loopback.ts'),
	],
	'proxy-settings.ts': [],
	'settings-reader.ts': [],
	'loopback.ts': [],
	'credentials.ts': ['domain'],
	'passwords.ts': ['normalize-password.ts'],
	'password-turns.ts': ['fair-queue.ts'],
	'weak-passwords.ts': ['normalize-password.ts'],
	'normalize-password.ts': [],
	'seen-request.ts': ['store/secrets/key-seal.ts'],
	'html-text.ts': [],
	'fair-queue.ts': [],
	'outage-log.ts': [],
	'installation.ts': [],
};

/** The rooms of the dashboard, and which others each may import. Files beside the rooms are for all of them. */
const DASHBOARD_ROOMS: Readonly<Record<string, readonly string[]>> = {
	calls: ['sessions', 'files'],
	sessions: ['calls', 'factors'],
	factors: ['calls'],
	files: ['calls'],
	'sign-in': ['calls', 'sessions', 'factors'],
	account: ['calls', 'sessions', 'factors'],
	business: ['calls', 'sessions', 'files'],
	statement: ['calls', 'business', 'files'],
	payments: ['calls', 'sessions', 'business'],
	search: ['calls'],
	team: ['calls', 'sessions'],
	activity: ['calls', 'files'],
	bandwidth: ['calls', 'business', 'files'],
	operators: ['calls', 'sessions', 'business', 'bandwidth', 'files', 'team'],
	brand: ['calls', 'sessions'],
	pages: [],
};

/** Packages that pure code may import. Nothing here could make two runs differ. */
const PURE = {
	commands: /^@bursar\/contract(\/[a-z-]+)?$/,
	domain: /^@bursar\/contract(\/[a-z-]+)?$/,
	contract: /^(typebox|ipaddr\.js)$/,
} as const;

/** Imports allowed to the other packages. `mayEnter` is a folder whose files they may import by path. */
const PACKAGES: Readonly<
	Record<string, { readonly folder: string; readonly may: RegExp; readonly mayEnter?: string }>
> = {
	// Runs everywhere, so it may not import Node's modules either.
	client: { folder: '../../client/src', may: /^(@bursar\/contract\/[a-z-]+|\.\.\/package\.json)$/ },
	cli: {
		folder: '../../cli/src',
		may: /^(@bursar\/(client|contract\/(account-refusals|bulk|bulk-run|events|limit-texts|limits|movement-sign|payments|reference|scopes)|terminal(\/(compile-cache|completion|webhooks))?)|commander|node:.*|\.\.\/package\.json)$/,
	},
	terminal: {
		folder: '../../terminal/src',
		may: /^(@bursar\/contract\/(csv|public-address|usd|visible)|ipaddr\.js|pino|node:.*)$/,
	},
	edge: {
		folder: '../../edge/src',
		may: /^(@bursar\/(contract\/[a-z-]+|terminal(\/(logger|compile-cache|completion|systemd|open-files|network))?)|commander|ipaddr\.js|pino|prom-client|node:.*|\.\.\/package\.json)$/,
	},
	// Knows the service only from docs/api.md.
	conformance: { folder: '../../../conformance/src', may: /^(@bursar\/(contract|terminal)|commander|node:.*)$/ },
	// Runs in browsers.
	dashboard: {
		folder: '../../dashboard/src',
		may: /^(@bursar\/contract\/[a-z-]+|react|react-dom\/client|@mantine\/(core|hooks)(\/styles\/[A-Za-z-]+\.css)?|@tanstack\/react-query|wouter(\/use-browser-location)?|@simplewebauthn\/browser|uqr|get-nonce|@tabler\/icons-react(\/icons\/Icon[A-Za-z0-9]+)?)$/,
	},
	'generator of the Python client': {
		folder: '../../../clients/python/generate',
		may: /^(node:.*|\.\.\/\.\.\/\.\.\/package\.json)$/,
		mayEnter: '../../contract/src',
	},
	// Builds and packs the packages as a person would, from outside.
	release: {
		folder: '../../../release/src',
		may: /^(node:.*|\.\.\/\.\.\/(scripts\/documents|clients\/python\/generate\/version)\.ts)$/,
	},
	// Of the packages it knows only the contract, for the OpenAPI document. Its test opens a browser.
	site: {
		folder: '../../../site',
		may: /^(vitepress(\/theme-without-fonts)?|beautiful-mermaid|@bursar\/testing\/browser|node:.*)$/,
		mayEnter: '../../contract/src',
	},
	// For tests and benchmarks only, so it may import the server. No source may import it.
	testing: {
		folder: '../../testing/src',
		may: /^(@bursar\/(contract(\/(edge|operator|scopes))?|terminal\/logger)|better-sqlite3|fast-check|pg|playwright-core|node:.*)$/,
		mayEnter: '../src',
	},
};

interface Import {
	readonly from: string;
	readonly specifier: string;
}

function importsIn(folder: string): Import[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.tsx?$/.test(file) && !file.split(sep).includes('node_modules'))
		.flatMap((file) => {
			const text = readFileSync(join(folder, file), 'utf8');
			const specifiers = text.matchAll(/(?:from\s+|import\s*\(?\s*|new URL\(\s*(?='\.))'([^']+)'/g);
			return Array.from(specifiers, ([, specifier]) => ({ from: join(folder, file), specifier: specifier as string }));
		});
}

/** The path in `src`, with forward slashes. */
function pathInSource(file: string): string {
	return relative(SOURCE, file).split(sep).join('/');
}

function partOf(path: string): string {
	const part = Object.keys(ALLOWED_IMPORTS).find((candidate) => isAllowed(path, [candidate]));
	return part ?? assert.fail(`${path} is in no part of ALLOWED_IMPORTS`);
}

function isAllowed(target: string, allowed: readonly string[]): boolean {
	return allowed.some((path) => target === path || target.startsWith(`${path}/`));
}

test('every import is allowed by docs/ARCHITECTURE.md', () => {
	const imports = importsIn(SOURCE);
	assert.ok(imports.length > 100, 'too few imports were found');
	for (const { from, specifier } of imports) {
		if (!specifier.startsWith('.')) continue;
		const part = partOf(pathInSource(from));
		const target = pathInSource(resolve(dirname(from), specifier));
		const allowed = [part, ...(ALLOWED_IMPORTS[part] ?? [])];
		assert.ok(isAllowed(target, allowed), `${pathInSource(from)} may not import ${target}`);
	}
});

test('outside of the store, its tables are known by their types alone', () => {
	const outside = /^import (?!type\b)[^;]* from '[^']*\/store\/tables\//m;
	for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
		if (!file.endsWith('.ts') || file.startsWith(`store${sep}`)) continue;
		assert.doesNotMatch(readFileSync(join(SOURCE, file), 'utf8'), outside, file);
	}
});

test('a room of the dashboard imports only the rooms that it may', () => {
	const dashboard = join(SOURCE, 'http/dashboard');
	const rooms = readdirSync(dashboard, { withFileTypes: true }).filter((entry) => entry.isDirectory());
	assert.deepEqual(rooms.map(({ name }) => name).sort(), Object.keys(DASHBOARD_ROOMS).sort());
	const roomOf = (file: string) => rooms.find(({ name }) => file.startsWith(join(dashboard, name, sep)))?.name;
	for (const [room, others] of Object.entries(DASHBOARD_ROOMS)) {
		for (const { from, specifier } of importsIn(join(dashboard, room))) {
			const target = specifier.startsWith('.') ? roomOf(resolve(dirname(from), specifier)) : undefined;
			const isAllowed = target === undefined || target === room || others.includes(target);
			assert.ok(isAllowed, `${pathInSource(from)} may not import the room ${target}`);
		}
	}
});

test('the domain and the contract are pure, without I/O, clock or randomness', () => {
	for (const [name, folder] of [
		['domain', join(SOURCE, 'domain')],
		['contract', CONTRACT],
	] as const) {
		for (const { from, specifier } of importsIn(folder)) {
			const isInside = specifier.startsWith('.') && resolve(dirname(from), specifier).startsWith(`${folder}${sep}`);
			assert.ok(isInside || PURE[name].test(specifier), `${from} may not import ${specifier}`);
		}
		for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
			if (!file.endsWith('.ts')) continue;
			const text = readFileSync(join(folder, file), 'utf8');
			assert.doesNotMatch(text, /Date\.now|new Date\(\)|Math\.random|process\.|performance\./, `${file} is not pure`);
		}
	}
});

test('the threads of the store do not load the schemas, which take most of the time of a start', () => {
	const schemas = /^import (?!type )[^;]*'@bursar\/contract(\/(edge|dashboard|schemas|terms-schemas|envelope))?';/m;
	for (const folder of ['domain', 'store', 'bank'].map((name) => join(SOURCE, name))) {
		for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
			if (!file.endsWith('.ts')) continue;
			assert.doesNotMatch(readFileSync(join(folder, file), 'utf8'), schemas, `${file} loads schemas`);
		}
	}
});

test('the other packages import only what they may', () => {
	for (const [name, { folder, may, mayEnter = folder }] of Object.entries(PACKAGES)) {
		const source = resolve(import.meta.dirname, folder);
		const entered = resolve(import.meta.dirname, mayEnter);
		const imports = importsIn(source);
		assert.ok(imports.length > 0, `no imports of ${name} were found`);
		for (const { from, specifier } of imports) {
			const target = specifier.startsWith('.') ? resolve(dirname(from), specifier) : '';
			const isInside = [source, entered].some((allowed) => target.startsWith(`${allowed}${sep}`));
			assert.ok(isInside || may.test(specifier), `${from} may not import ${specifier}`);
		}
	}
});

test('no source of the server imports test support, and no test imports the tests of another package', () => {
	for (const { from, specifier } of importsIn(SOURCE)) {
		assert.doesNotMatch(specifier, /^@bursar\/testing/, `${from} imports test support`);
	}
	const packages = readdirSync(join(REPOSITORY, 'packages')).map((name) => join(REPOSITORY, 'packages', name));
	const roots = [
		...packages,
		...['clients/python', 'conformance', 'release', 'site', 'bench'].map((name) => join(REPOSITORY, name)),
	];
	const testsOf = (root: string) => join(root, basename(root) === 'bench' ? '.' : 'test');
	// One judge for both clients: it knows what the client of TypeScript reports, and what Python reports is put into that form.
	const judged = join(REPOSITORY, 'clients/python');
	const judge = join(REPOSITORY, 'packages/client');
	for (const root of roots.filter((root) => existsSync(testsOf(root)))) {
		for (const { from, specifier } of importsIn(testsOf(root))) {
			if (!specifier.startsWith('.')) continue;
			const target = resolve(dirname(from), specifier);
			const foreign = roots.filter((other) => other !== root && !(root === judged && other === judge));
			const isForeign = foreign.some((other) => target.startsWith(join(other, 'test', sep)));
			assert.ok(!isForeign, `${from} may not import ${specifier}: shared test support belongs into packages/testing`);
		}
	}
});

test('only engine.ts imports an engine, and engines do not import each other', () => {
	const engines = ['sqlite', 'postgres'];
	for (const { from, specifier } of importsIn(SOURCE)) {
		if (!specifier.startsWith('.')) continue;
		const target = pathInSource(resolve(dirname(from), specifier));
		const engine = engines.find((name) => target.startsWith(`store/${name}/`));
		if (!engine) continue;
		const isOwn = pathInSource(from).startsWith(`store/${engine}/`);
		assert.ok(isOwn || pathInSource(from) === 'engine.ts', `${pathInSource(from)} may not import the engine ${engine}`);
	}
});

test('only the commands read the environment', () => {
	for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
		if (!file.endsWith('.ts') || file.startsWith('cli')) continue;
		assert.doesNotMatch(readFileSync(join(SOURCE, file), 'utf8'), /process\.env/, `${file} reads the environment`);
	}
});

test('no package has a cycle of imports, not even of types', () => {
	const packages = readdirSync(join(REPOSITORY, 'packages')).map((name) => join(REPOSITORY, 'packages', name, 'src'));
	const others = ['clients/python/generate', 'conformance/src', 'release/src', 'site', 'bench'].map((path) =>
		join(REPOSITORY, path),
	);
	const folders = [...packages, ...others].filter(existsSync);
	assert.ok(folders.length > 5, 'too few packages were found');
	for (const folder of folders) assert.equal(cycleIn(folder)?.join(' -> '), undefined);
});

test('the rooms of the dashboard have no cycle either', () => {
	const source = join(REPOSITORY, 'packages/dashboard/src');
	const roomOf = (file: string) => {
		const [room = '', feature] = relative(source, dirname(file)).split(sep);
		return room === 'features' ? join(source, room, feature ?? '') : join(source, room);
	};
	const between = importsIn(source)
		.filter(({ specifier }) => specifier.startsWith('.'))
		.map(({ from, specifier }) => ({ from: roomOf(from), specifier: roomOf(resolve(dirname(from), specifier)) }))
		.filter(({ from, specifier }) => from !== specifier);
	assert.ok(new Set(between.map(({ from }) => from)).size > 15, 'too few rooms were found');
	assert.equal(cycleOf(between)?.join(' -> '), undefined);
});

/** The files of an import cycle in a folder, with the first one again at the end; `undefined` if there is none. */
function cycleIn(folder: string): readonly string[] | undefined {
	const imports = importsIn(folder)
		// A thread is started, not imported, and has its own modules.
		.filter(({ specifier }) => specifier.startsWith('.') && !specifier.endsWith('-thread.ts'))
		.map(({ from, specifier }) => ({ from, specifier: resolve(dirname(from), specifier) }));
	return cycleOf(imports);
}

/** The same for imports with whole paths. */
function cycleOf(imports: readonly Import[]): readonly string[] | undefined {
	const importsOf = Map.groupBy(imports, ({ from }) => from);
	const path: string[] = [];
	const seen = new Set<string>();

	function cycleThrough(from: string): readonly string[] | undefined {
		if (path.includes(from)) return [...path.slice(path.indexOf(from)), from];
		if (seen.has(from)) return undefined;
		seen.add(from);
		path.push(from);
		for (const { specifier } of importsOf.get(from) ?? []) {
			const cycle = cycleThrough(specifier);
			if (cycle) return cycle;
		}
		path.pop();
		return undefined;
	}

	for (const from of importsOf.keys()) {
		const cycle = cycleThrough(from);
		if (cycle) return cycle.map((file) => relative(REPOSITORY, file));
	}
	return undefined;
}
