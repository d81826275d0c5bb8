import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, type InlineConfig } from 'tsdown';

const ROOT = join(import.meta.dirname, '..');

/** A package.json. */
type Manifest = Readonly<Record<string, unknown>>;

/**
 * Builds a package for publishing, in its `dist` or in the folder that the command line names. The published package
 * has its own manifest, because the one next to the source is for the workspace, where the TypeScript source runs
 * directly. `outDir` is below that folder.
 */
export async function buildPackage(
	folder: string,
	{ outDir = '.', ...config }: InlineConfig,
	manifestOf: (source: Manifest) => Manifest,
): Promise<void> {
	const dist = resolve(process.argv[2] ?? join(folder, 'dist'));
	await rm(dist, { recursive: true, force: true });
	await build({
		cwd: folder,
		config: false,
		outDir: join(dist, outDir),
		tsconfig: join(ROOT, 'tsconfig.json'),
		sourcemap: true,
		logLevel: 'error',
		...config,
	});
	const source = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
	const { name, version, description, keywords, license } = source;
	const manifest = { name, version, description, keywords, license, type: 'module', ...manifestOf(source) };
	await writeFile(join(dist, 'package.json'), `${JSON.stringify(manifest, null, '\t')}\n`);
	await copyFile(join(folder, 'README.md'), join(dist, 'README.md'));
	await copyFile(join(ROOT, 'LICENSE'), join(dist, 'LICENSE'));
}
