import { defineConfig } from 'tsdown';
import { publishedPackage } from '../../scripts/published-package.ts';

/** What `src/installation.ts` finds by its path. */
const FOUND_BY_PATH = [
	'cli/doctor/examining-process',
	'store/sqlite/writing/writer-thread',
	'store/sqlite/reading/reading-thread',
	'http/docs/reference-script-thread',
];

export default defineConfig({
	...publishedPackage(import.meta.dirname, {
		node: '24.15',
		program: 'bursar',
		documents: ['docs'],
	}),
	entry: {
		bursar: 'src/cli/main.ts',
		// For the proxy of the demo.
		'bursar-edge': '../edge/src/main.ts',
		...Object.fromEntries(FOUND_BY_PATH.map((path) => [path, `src/${path}.ts`])),
	},
	copy: ({ outDir }) => [
		{ from: 'src/store/sqlite/migrations', to: `${outDir}/store/sqlite` },
		{ from: 'src/store/postgres/migrations', to: `${outDir}/store/postgres` },
		{ from: '../dashboard/dist', to: outDir, rename: 'pages' },
	],
});
