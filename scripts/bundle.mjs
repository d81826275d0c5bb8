// Bundles each command line, so that it starts from a few files instead of hundreds. Runs on the pinned Node.
import { lstatSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { Rolldown } from 'tsdown';
import { currentBundle, PROGRAMS } from '../packages/pinned-node/bundle.js';
import { compiledCode } from './compile-bundle.mjs';
import { loadingGraph, THREAD } from './loading-graph.mjs';
import { makeStampedFolder, sourcesOf } from './stamped-folder.mjs';

const SCRIPTS = ['bundle.mjs', 'compile-bundle.mjs', 'loading-graph.mjs', 'stamped-folder.mjs'];

/** Bundles the programs of an installation whose sources have changed. */
export async function bundlePrograms(root) {
	const modules = join(root, 'node_modules');
	// Several installations may share a linked folder, and a bundle in it could not find the sources of each.
	if (lstatSync(modules).isSymbolicLink()) return;
	const outdated = Object.entries(PROGRAMS).filter(([name]) => currentBundle(root, name) === undefined);
	await Promise.all(outdated.map(([name, program]) => bundle(root, name, program)));
}

async function bundle(root, name, { entries, commands, packages }) {
	await makeStampedFolder({
		root,
		home: join(root, 'node_modules', '.bursar-bundles', name),
		sources: () => [
			...packages.flatMap((folder) => sourcesOf(root, folder)),
			...SCRIPTS.map((script) => join(root, 'scripts', script)),
			join(root, 'packages/pinned-node/bundle.js'),
			join(root, 'node_modules/.package-lock.json'),
		],
		async make() {
			const loading = loadingGraph(root);
			const chunks = await chunksOf(root, entries, loading.plugin);
			return {
				contents: Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code])),
				complete: (folder) => compiledCode(folder, name),
				commandsOf: commands && loading.commandsOf(entries[0], commands),
			};
		},
	});
}

async function chunksOf(root, entries, loading) {
	const build = await Rolldown.rolldown({
		cwd: root,
		platform: 'node',
		tsconfig: join(root, 'tsconfig.json'),
		input: Object.fromEntries(entries.map((file) => [basename(file, '.ts'), join(root, file)])),
		// The reference page is rarely used, and reads files next to its own.
		external: ['pg-native', '@scalar/fastify-api-reference'],
		plugins: [loading, nativeBinding(root), lazyUnicodePattern(), placeOfSources(root, entries), lazyBuiltins()],
		checks: { ineffectiveDynamicImport: false },
		onLog(level, log, next) {
			if (level !== 'warn') next(level, log);
		},
	});
	try {
		const { output } = await build.generate({
			// Node loads CommonJS faster: importing a built-in module as an ES module loads everything that it may need.
			format: 'cjs',
			entryFileNames: '[name].cjs',
			chunkFileNames: '[name].cjs',
			comments: false,
			codeSplitting: { includeDependenciesRecursively: false, groups: CHUNKS },
		});
		return output;
	} finally {
		await build.close();
	}
}

/**
 * Modules that are loaded together are in one file. Dynamic imports divide the rest, so each command has a file. Of two
 * files that could have a module, the first gets it.
 */
const CHUNKS = Object.entries({
	base: [
		'commander',
		'terminal/src/(?!logger)',
		'contract/src/(ascii|csv|usd|visible)',
		'server/src/(version|cli/output)',
	],
	config: [
		'server/src/(config|cryptography|domain/token|store/(store|copy-error|database-url|master-key|key-seal)\\.ts)',
	],
	session: [
		'contract/src/(dashboard/email|errors|limits|routes|username)',
		'server/src/(credentials|engine|fair-queue|monotonic-ms)',
		'server/src/bank/(bank|expiry-clock|[a-z]+-commit|noted-verification)\\.ts',
		'server/src/cli/(session|refusals|invitation|shown-once|email-argument)',
		'server/src/domain/(account|command|edge|expiry|ledger|money|secret-text)\\.ts',
		'server/src/domain/people/(person|rights|tries|verification)\\.ts',
	],
	decisions: ['server/src/domain', 'server/src/store/(person-batch|person-writes|reading-days)'],
	reads: ['server/src/store/(?!copied-tables|copy|master-key-change)[a-z-]+\\.ts'],
	'sqlite-writes': ['server/src/store/sqlite/(writer|command-batch|person-batch|usage-[a-z]+|backup)\\.ts'],
	sqlite: ['better-sqlite3', 'server/src/store/sqlite/(?!copy-source|sealed-texts|[a-z]+-thread\\.)'],
}).map(([name, paths], place, { length }) => ({
	name,
	priority: length - place,
	test: new RegExp(`/(${paths.join('|')})`.replaceAll('/', '[\\\\/]')),
}));

/** The driver looks for its native code at each start. The bundle first tries the file that it chose at the set-up. */
function nativeBinding(root) {
	const outside = new Set();
	const load = (file) => {
		const path = fromBundle(root, file);
		outside.add(path);
		return `require('${path}')`;
	};
	return {
		name: 'native-binding',
		resolveId: (source) => (outside.has(source) ? { id: source, external: true } : null),
		load(id) {
			if (!/[\\/]better-sqlite3[\\/]lib[\\/]binding\.js$/.test(id)) return null;
			const chosen = chosenBinding(id);
			if (chosen === undefined) return `module.exports = ${load(id)};`;
			return `exports.getBinding = () => {
				try {
					return ${load(chosen)};
				} catch {
					return ${load(id)}.getBinding();
				}
			};`;
		},
	};
}

/** The file of the native code that the driver chooses on this machine; `undefined` if it can load none. */
function chosenBinding(id) {
	const require = createRequire(id);
	try {
		const binding = require(id).getBinding();
		return Object.values(require.cache).find((module) => module.exports === binding)?.filename;
	} catch {
		return undefined;
	}
}

/** For each option, Commander tests a pattern whose class of Unicode characters takes most of a millisecond to make. */
function lazyUnicodePattern() {
	return {
		name: 'lazy-unicode-pattern',
		transform(code, id) {
			if (!/[\\/]commander[\\/]lib[\\/]option\.js$/.test(id)) return null;
			return code.replace(
				/\/\\p\{ID_Continue\}\\\.\\\.\\\.\S+\.test\(flags\)/,
				(test) => `flags.includes('...') && ${test}`,
			);
		},
	};
}

/** Sources read files next to themselves, and start threads from them. The entries are next to the bundle instead. */
function placeOfSources(root, entries) {
	const threads = new Set(entries.map((file) => basename(file, '.ts')));
	return {
		name: 'place-of-sources',
		transform(code, id) {
			if (!id.startsWith(join(root, 'packages')) || !code.includes('import.meta')) return null;
			const place = (file) => `process.getBuiltinModule('node:path').join(__dirname, '${fromBundle(root, file)}')`;
			return code
				.replace(THREAD, (whole, name) => (threads.has(name) ? `\`\${__dirname}/${name}.cjs\`` : whole))
				.replaceAll('import.meta.url', `process.getBuiltinModule('node:url').pathToFileURL(${place(id)})`)
				.replaceAll('import.meta.dirname', place(dirname(id)));
		},
	};
}

/** The path relative to the folder of a bundle, because the installation may be moved. */
function fromBundle(root, file) {
	return `../../../../${relative(root, file).replaceAll(sep, '/')}`;
}

/** Loads Node's built-in modules at their first use: some take milliseconds, and many commands do not need them. */
function lazyBuiltins() {
	return {
		name: 'lazy-builtins',
		renderChunk(code) {
			const builtins = [...code.matchAll(/^let (node_\w+) = require\("(node:[\w/]+)"\);$/gm)];
			const lazy = builtins.reduce((text, [declaration, name, builtin]) => {
				// If the default export is used, `x = __toESM(x, 1)` follows. The default export is the module itself.
				const asModule = new RegExp(`^${name} = \\S*__toESM\\(${name}(, 1)?\\);\\n`, 'm');
				const rest = text.replace(`${declaration}\n`, '').replace(asModule, '');
				// If the module is used in another way, it is loaded at once.
				if (new RegExp(`\\b${name}\\b(?!\\.)`).test(rest)) return text;
				const uses = new RegExp(`\\b${name}(\\.default)?\\.`, 'g');
				return `let ${name};\n${rest.replaceAll(uses, `(${name} ??= require("${builtin}")).`)}`;
			}, code);
			// ES modules are always strict; a script must say so.
			return `'use strict';\n${lazy}`;
		},
	};
}

if (import.meta.main) {
	try {
		await bundlePrograms(dirname(import.meta.dirname));
	} catch (cause) {
		process.stderr.write(`${cause.message}\n`);
		process.exitCode = 1;
	}
}
