import { join } from 'node:path';
import { PUBLISHED } from './programs.ts';
import { npm, ROOT, run } from './run.ts';

const TSDOWN = join(ROOT, 'node_modules/tsdown/dist/run.mjs');

/** The folder of each build, by its folder below `packages/`. */
export type Builds = Readonly<Record<(typeof PUBLISHED)[number], string>>;

/** Builds every published package below `folder`, away from the `dist` of the checkout. */
export function buildPackages(folder: string): Builds {
	const build = (name: string): [string, string] => {
		const outFolder = join(folder, name);
		run([process.execPath, TSDOWN, '--logLevel=warn', '--out-dir', outFolder], { cwd: join(ROOT, 'packages', name) });
		return [name, outFolder];
	};
	return Object.fromEntries(PUBLISHED.map(build)) as Builds;
}

/** Packs each package as npm would publish it, and has its manifest and its types checked. */
export function packPackages(builds: Builds, outFolder: string): void {
	const tools = installTools();
	for (const build of Object.values(builds)) {
		const [packed] = JSON.parse(run(npm('pack', '--json', '--pack-destination', outFolder), { cwd: build }));
		const tarball = join(outFolder, packed.filename);
		run([process.execPath, join(tools, 'publint/src/cli.js'), 'run', '--strict', tarball], { cwd: outFolder });
		const attw = join(tools, '@arethetypeswrong/cli/dist/index.js');
		run([process.execPath, attw, '--profile', 'esm-only', tarball], { cwd: outFolder });
	}
}

/** Installs what only a release needs, which is another TypeScript among others. Returns its `node_modules`. */
function installTools(): string {
	const folder = join(ROOT, 'release/tools');
	run(npm('ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'), {
		cwd: folder,
	});
	return join(folder, 'node_modules');
}
