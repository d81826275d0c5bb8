// `npm run docs`: makes the site of the documentation in `dist/docs`. With --serve, it then shows it on this machine.
import { join } from 'node:path';
import { root, runNode } from './pinned-node.mjs';
import { installPackages, setUp } from './setup.mjs';

const SITE = join(root, 'site');
const VITEPRESS = join(SITE, 'node_modules/vitepress/bin/vitepress.js');
const VITE = join(SITE, 'node_modules/vite/bin/vite.js');

await setUp();
installPackages(SITE, 'the site');
const given = process.argv.slice(2).filter((argument) => argument !== '--serve');
const steps = [
	[join(SITE, 'reference.ts')],
	[VITEPRESS, 'build', SITE, ...given],
	// VitePress would show it to the whole network.
	...(process.argv.includes('--serve')
		? [[VITE, 'preview', SITE, '--outDir=../dist/docs', '--host=127.0.0.1', ...given]]
		: []),
];
for (const step of steps) {
	const exitCode = await runNode(step);
	if (exitCode !== 0) process.exit(exitCode);
}
