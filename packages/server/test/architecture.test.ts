import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';

const SOURCE = resolve(import.meta.dirname, '../src');
const CONTRACT = resolve(import.meta.dirname, '../../contract/src');
const REPOSITORY = resolve(import.meta.dirname, '../../..');

/**
 * Which room may look into which. A room is a folder of `src`, or a file that lies in `src` itself. `http` is a corridor:
 * each audience has a room of its own in it, which no other audience may look into.
 * Everything may look into the contract package.
 */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
	domain: [],
	bank: ['domain', 'store/store.ts', 'store/reseller-reads.ts', 'fair-queue.ts'],
	store: ['domain', 'fair-queue.ts'],
	'http/server': ['store/store.ts'],
	'http/reseller': [
		'http/server',
		'bank',
		'domain',
		'store/store.ts',
		'store/reseller-reads.ts',
		'store/credential-reads.ts',
		'credentials.ts',
	],
	'http/docs': ['http/server'],
	'http/ops': ['http/server', 'bank'],
	'http/public-listener.ts': ['http/server', 'http/reseller', 'http/docs'],
	cli: [
		'bank',
		'domain',
		'store/store.ts',
		'store/copy.ts',
		'store/database-url.ts',
		'config.ts',
		'credentials.ts',
		'engine.ts',
		'logger.ts',
		'service.ts',
		'version.ts',
	],
	'service.ts': ['bank', 'http', 'store', 'config.ts', 'engine.ts', 'version.ts'],
	'engine.ts': ['store', 'config.ts'],
	'version.ts': [],
	'config.ts': ['domain', 'store/database-url.ts', 'store/master-key.ts'],
	'logger.ts': ['config.ts'],
	'credentials.ts': ['domain'],
	'fair-queue.ts': [],
};

/** What the rules may use besides themselves: nothing that could make two runs differ. */
const PURE = { domain: /^@bursar\/contract(\/[a-z]+)?$/, contract: /^typebox$/ } as const;

/** What the other packages may use besides themselves. `mayEnter` is a folder whose files they import by path. */
const PACKAGES: Readonly<
	Record<string, { readonly folder: string; readonly may: RegExp; readonly mayEnter?: string }>
> = {
	// Runs everywhere: not even Node's own modules.
	client: { folder: '../../client/src', may: /^@bursar\/contract\/[a-z]+$/ },
	cli: { folder: '../../cli/src', may: /^(@bursar\/(client|terminal)|commander|node:.*)$/ },
	terminal: { folder: '../../terminal/src', may: /^node:.*$/ },
	// Knows no more of the service than docs/api.md says.
	conformance: { folder: '../../../conformance/src', may: /^(@bursar\/(contract|terminal)|commander|node:.*)$/ },
	// Serves tests and benchmarks only, so it may look into the server. No source may import it.
	testing: {
		folder: '../../testing/src',
		may: /^(@bursar\/contract|better-sqlite3|pg|node:.*)$/,
		mayEnter: '../src',
	},
};

interface Import {
	readonly from: string;
	readonly specifier: string;
}

function importsIn(folder: string): Import[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) => {
			const text = readFileSync(join(folder, file), 'utf8');
			const specifiers = text.matchAll(/(?:from\s+|import\s*\(?\s*|new URL\(\s*)'([^']+)'/g);
			return Array.from(specifiers, ([, specifier]) => ({ from: join(folder, file), specifier: specifier as string }));
		});
}

/** The path below `src`, with forward slashes. */
function placeOf(file: string): string {
	return relative(SOURCE, file).split(sep).join('/');
}

function roomOf(place: string): string {
	const room = Object.keys(ARROWS).find((candidate) => isAllowed(place, [candidate]));
	return room ?? assert.fail(`${place} lies in a room that has no arrows`);
}

function isAllowed(target: string, allowed: readonly string[]): boolean {
	return allowed.some((arrow) => target === arrow || target.startsWith(`${arrow}/`));
}

test('every import follows the arrows of docs/ARCHITECTURE.md', () => {
	const imports = importsIn(SOURCE);
	assert.ok(imports.length > 100, 'the imports are found at all');
	for (const { from, specifier } of imports) {
		if (!specifier.startsWith('.')) continue;
		const room = roomOf(placeOf(from));
		const target = placeOf(resolve(dirname(from), specifier));
		const allowed = [room, ...(ARROWS[room] ?? [])];
		assert.ok(isAllowed(target, allowed), `${placeOf(from)} may not import ${target}`);
	}
});

test('the domain and the contract are pure: no I/O, no clock, no randomness', () => {
	for (const [name, folder] of [
		['domain', join(SOURCE, 'domain')],
		['contract', CONTRACT],
	] as const) {
		for (const { from, specifier } of importsIn(folder)) {
			const isInside = specifier.startsWith('./');
			assert.ok(isInside || PURE[name].test(specifier), `${from} may not import ${specifier}`);
		}
		for (const file of readdirSync(folder)) {
			const text = readFileSync(join(folder, file), 'utf8');
			assert.doesNotMatch(text, /Date\.now|new Date\(\)|Math\.random|process\.|performance\./, `${file} is not pure`);
		}
	}
});

test('the packages beside the server use no more than they may', () => {
	for (const [name, { folder, may, mayEnter = folder }] of Object.entries(PACKAGES)) {
		const source = resolve(import.meta.dirname, folder);
		const entered = resolve(import.meta.dirname, mayEnter);
		const imports = importsIn(source);
		assert.ok(imports.length > 0, `the imports of ${name} are found at all`);
		for (const { from, specifier } of imports) {
			const target = specifier.startsWith('.') ? resolve(dirname(from), specifier) : '';
			const isInside = [source, entered].some((place) => target.startsWith(`${place}${sep}`));
			assert.ok(isInside || may.test(specifier), `${from} may not import ${specifier}`);
		}
	}
});

test('no source of the server imports test support, and no test imports the tests of another package', () => {
	for (const { from, specifier } of importsIn(SOURCE)) {
		assert.doesNotMatch(specifier, /^@bursar\/testing/, `${from} imports test support`);
	}
	const root = resolve(import.meta.dirname, '../../..');
	const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));
	const homes = [...packages, join(root, 'conformance'), join(root, 'bench')];
	const testsOf = (home: string) => join(home, basename(home) === 'bench' ? '.' : 'test');
	for (const home of homes.filter((home) => existsSync(testsOf(home)))) {
		for (const { from, specifier } of importsIn(testsOf(home))) {
			if (!specifier.startsWith('.')) continue;
			const target = resolve(dirname(from), specifier);
			const isForeign = homes.some((other) => other !== home && target.startsWith(join(other, 'test', sep)));
			assert.ok(!isForeign, `${from} may not import ${specifier}: what packages share is in packages/testing`);
		}
	}
});

test('only engine.ts names an engine, and engines do not name each other', () => {
	const engines = readdirSync(join(SOURCE, 'store'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
	for (const { from, specifier } of importsIn(SOURCE)) {
		if (!specifier.startsWith('.')) continue;
		const target = placeOf(resolve(dirname(from), specifier));
		const engine = engines.find(({ name }) => target.startsWith(`store/${name}/`));
		if (!engine) continue;
		const isOwn = placeOf(from).startsWith(`store/${engine.name}/`);
		assert.ok(isOwn || placeOf(from) === 'engine.ts', `${placeOf(from)} may not name the engine ${engine.name}`);
	}
});

test('the environment is read where commands begin, and handed to config.ts', () => {
	for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
		if (!file.endsWith('.ts') || file.startsWith('cli')) continue;
		assert.doesNotMatch(readFileSync(join(SOURCE, file), 'utf8'), /process\.env/, `${file} reads the environment`);
	}
});

test('no file of a package imports itself through others, not even a type', () => {
	const packages = readdirSync(join(REPOSITORY, 'packages')).map((name) => join(REPOSITORY, 'packages', name, 'src'));
	const folders = [...packages, join(REPOSITORY, 'conformance/src'), join(REPOSITORY, 'bench')].filter(existsSync);
	assert.ok(folders.length > 5, 'the packages are found at all');
	for (const folder of folders) assert.equal(circleIn(folder)?.join(' -> '), undefined);
});

/** The files of a circle of imports in a folder, the first one again at its end; `undefined` if there is none. */
function circleIn(folder: string): readonly string[] | undefined {
	const importsOf = Map.groupBy(importsIn(folder), ({ from }) => from);
	const path: string[] = [];
	const seen = new Set<string>();

	function circleThrough(file: string): readonly string[] | undefined {
		if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
		if (seen.has(file)) return undefined;
		seen.add(file);
		path.push(file);
		for (const { specifier } of importsOf.get(file) ?? []) {
			// A thread is started, not imported: it has modules of its own.
			if (!specifier.startsWith('.') || specifier.endsWith('-thread.ts')) continue;
			const circle = circleThrough(resolve(dirname(file), specifier));
			if (circle) return circle;
		}
		path.pop();
		return undefined;
	}

	for (const file of importsOf.keys()) {
		const circle = circleThrough(file);
		if (circle) return circle.map((place) => relative(REPOSITORY, place));
	}
	return undefined;
}
