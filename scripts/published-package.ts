import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UserConfig } from 'tsdown';

const ROOT = join(import.meta.dirname, '..');

/** A package.json. */
type Manifest = Readonly<Record<string, unknown>>;

/**
 * What the builds of all published packages have in common. `dist` is the package: it has a manifest of its own, because
 * the one next to the sources is for the workspace, whose programs run the sources. Dependencies of the workspace's
 * manifest stay dependencies. Everything else, such as other packages of the workspace, is bundled.
 */
export function publishedPackage(folder: string, manifest: Manifest): UserConfig {
	return {
		platform: 'node',
		target: 'node24.15',
		fixedExtension: false,
		dts: false,
		sourcemap: true,
		tsconfig: join(ROOT, 'tsconfig.json'),
		hooks: {
			async 'build:done'({ options: { outDir } }) {
				const source = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
				const { name, version, description, keywords, license, dependencies } = source;
				const common = { name, version, description, keywords, license, type: 'module', dependencies };
				await writeFile(join(outDir, 'package.json'), `${JSON.stringify({ ...common, ...manifest }, null, '\t')}\n`);
				await copyFile(join(folder, 'README.md'), join(outDir, 'README.md'));
				await copyFile(join(ROOT, 'LICENSE'), join(outDir, 'LICENSE'));
			},
		},
	};
}
