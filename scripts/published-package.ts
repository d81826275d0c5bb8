import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { UserConfig } from 'tsdown';
import { copyDocuments, withWorkingLinks } from './documents.ts';

const ROOT = join(import.meta.dirname, '..');

/** A package.json. */
type Manifest = Readonly<Record<string, unknown>>;

interface Published {
	/** The oldest version, such as `24.15`. */
	readonly node: string;
	/** The name of the program, if the package has one. Its build is a file of that name. */
	readonly program?: string;
	/** Pages of the repository, or folders of them, that the package brings along. Its messages name them. */
	readonly documents: readonly string[];
	/** What else stands in the manifest. */
	readonly manifest?: Manifest;
}

/**
 * What the builds of all published packages have in common. `dist` is the package: it has a manifest of its own, because
 * the one next to the sources is for the workspace, whose programs run the sources. Dependencies of the workspace's
 * manifest stay dependencies. Everything else, such as other packages of the workspace, is bundled.
 */
export function publishedPackage(folder: string, { node, program, documents, manifest }: Published): UserConfig {
	return {
		platform: 'node',
		target: `node${node}`,
		fixedExtension: false,
		dts: false,
		sourcemap: true,
		tsconfig: join(ROOT, 'tsconfig.json'),
		hooks: {
			async 'build:done'({ options: { outDir } }) {
				if (program !== undefined) await writeStarter(outDir, program, node);
				const readme = relative(ROOT, join(folder, 'README.md')).replaceAll('\\', '/');
				await writeFile(join(outDir, 'README.md'), await withWorkingLinks(readme));
				await copyDocuments(['LICENSE', 'CHANGELOG.md', 'SECURITY.md', ...documents], outDir);
				const { name, version, description, keywords, license, dependencies } = await readManifest(folder);
				const { homepage, bugs, repository } = await readManifest(ROOT);
				const published = {
					...{ name, version, description, keywords, homepage, bugs, license, type: 'module' },
					repository: { ...(repository as Manifest), directory: relative(ROOT, folder) },
					files: ['*'],
					...(program !== undefined && { bin: { [program]: `bin/${program}.js` } }),
					// Importing a program would run it.
					exports: { './package.json': './package.json' },
					...manifest,
					engines: { node: `>=${node}` },
					dependencies,
					publishConfig: { access: 'public', provenance: true },
				};
				await writeFile(join(outDir, 'package.json'), `${JSON.stringify(published, null, '\t')}\n`);
			},
		},
	};
}

/** Writes the file that npm links as the program. An older Node could not even load the program itself. */
async function writeStarter(outDir: string, program: string, node: string): Promise<void> {
	const [oldestMajor, oldestMinor = 0] = node.split('.').map(Number);
	const starter = join(outDir, 'bin', `${program}.js`);
	await mkdir(join(outDir, 'bin'), { recursive: true });
	await writeFile(
		starter,
		`#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > ${oldestMajor} || (major === ${oldestMajor} && minor >= ${oldestMinor})) {
	await import('../${program}.js');
} else {
	process.stderr.write(\`${program} needs Node ${node} or newer, and this is \${process.versions.node}.\\n\`);
	process.exitCode = 1;
}
`,
	);
	await chmod(starter, 0o755);
}

async function readManifest(folder: string): Promise<Manifest> {
	return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}
