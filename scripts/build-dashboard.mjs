// Builds the dashboard's pages, compressed as they are served. Runs on the pinned Node.
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { DASHBOARD, stampedFolder } from '../packages/pinned-node/bundle.js';
import { makeStampedFolder, sourcesOf } from './stamped-folder.mjs';

const SCRIPTS = ['build-dashboard.mjs', 'stamped-folder.mjs'];

/** Builds the pages of an installation whose sources have changed. */
export async function buildDashboard(root) {
	const home = join(root, DASHBOARD);
	if (stampedFolder(root, home) !== undefined) return;
	const pages = join(root, 'packages/dashboard');
	await makeStampedFolder({
		root,
		home,
		sources: () => [
			...sourcesOf(root, 'dashboard'),
			...sourcesOf(root, 'contract'),
			join(pages, 'index.html'),
			...SCRIPTS.map((name) => join(root, 'scripts', name)),
			join(root, 'node_modules/.package-lock.json'),
		],
		make: () => filesOf(pages),
		// Unlike the command lines, the pages cannot run from their sources.
		isAlwaysWritten: true,
	});
}

async function filesOf(pages) {
	// Loaded only here, because most set-ups have nothing to build.
	const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
	const { output } = await build({
		root: pages,
		base: '/dashboard/',
		configFile: false,
		envDir: false,
		publicDir: false,
		mode: 'production',
		logLevel: 'warn',
		plugins: [react()],
		build: { target: 'es2022', write: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
	});
	const files = output.map((file) => [file.fileName, Buffer.from(file.type === 'chunk' ? file.code : file.source)]);
	const compressed = files.filter(([name]) => name.startsWith('assets/')).map(compressedForms);
	return Object.fromEntries([...files, ...(await Promise.all(compressed)).flat()]);
}

async function compressedForms([name, bytes]) {
	const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
	return [
		[`${name}.br`, await promisify(brotliCompress)(bytes, { params })],
		[`${name}.gz`, await promisify(gzip)(bytes, { level: 9 })],
	];
}

if (import.meta.main) {
	// With another value in the environment, React would be built for development.
	process.env.NODE_ENV = 'production';
	try {
		await buildDashboard(dirname(import.meta.dirname));
	} catch (cause) {
		process.stderr.write(`${cause.message}\n`);
		process.exitCode = 1;
	}
}
