// Builds the dashboard's pages, once for each state of their sources. Runs on the pinned Node.
import { dirname, join } from 'node:path';
import { DASHBOARD, stampedFolder } from '../packages/pinned-node/bundle.js';
import { makeStampedFolder, sourcesOf } from './stamped-folder.mjs';

/** Builds the pages of an installation whose sources have changed. */
export async function buildDashboard(root) {
	const home = join(root, DASHBOARD);
	if (stampedFolder(root, home) !== undefined) return;
	const pages = join(root, 'packages/dashboard');
	const others = [
		'packages/dashboard/index.html',
		'packages/dashboard/build.ts',
		'scripts/build-dashboard.mjs',
		'scripts/stamped-folder.mjs',
		'node_modules/.package-lock.json',
	];
	await makeStampedFolder({
		root,
		home,
		sources: () => [
			...sourcesOf(root, 'dashboard'),
			...sourcesOf(root, 'contract'),
			...others.map((file) => join(root, file)),
		],
		async make() {
			const { buildPages } = await import('../packages/dashboard/build.ts');
			return { contents: await buildPages(pages) };
		},
		// Unlike the command lines, the pages cannot run from their sources.
		isAlwaysWritten: true,
	});
}

if (import.meta.main) {
	try {
		await buildDashboard(dirname(import.meta.dirname));
	} catch (cause) {
		process.stderr.write(`${cause.message}\n`);
		process.exitCode = 1;
	}
}
