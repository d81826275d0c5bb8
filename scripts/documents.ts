// Copies documents into packages, so that a person has them without the repository.
import { existsSync, globSync, statSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** Pictures are large, and only the repository's own pages show them. */
const LEFT_OUT = /\.png$/;

/**
 * Copies files and folders of the repository to the same paths below `outDir`. Links between them stay. Other links lead to
 * the repository on the Internet, at this version.
 */
export async function copyDocuments(paths: readonly string[], outDir: string): Promise<void> {
	const files = paths.flatMap(filesOf);
	for (const file of files) {
		const to = join(outDir, file);
		await mkdir(dirname(to), { recursive: true });
		if (!file.endsWith('.md')) await copyFile(join(ROOT, file), to);
		else await writeFile(to, await withWorkingLinks(file, new Set(files)));
	}
}

/** A Markdown file of the repository, in which only links to the files of `beside` are relative. */
export async function withWorkingLinks(file: string, beside: ReadonlySet<string> = new Set()): Promise<string> {
	const web = await repositoryAtVersion();
	const text = await readFile(join(ROOT, file), 'utf8');
	return text.replace(/\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)/g, (link, target: string, heading = '') => {
		const linked = posix.join(posix.dirname(file), target).replace(/\/$/, '');
		if (beside.has(linked)) return link;
		if (!existsSync(join(ROOT, linked))) throw new Error(`${file} links to ${target}, which does not exist`);
		return `](${web(linked)}${heading})`;
	});
}

function filesOf(path: string): readonly string[] {
	if (statSync(join(ROOT, path)).isFile()) return [path];
	return globSync(`${path}/**`, { cwd: ROOT })
		.map((file) => file.replaceAll('\\', '/'))
		.filter((file) => statSync(join(ROOT, file)).isFile() && !LEFT_OUT.test(file))
		.sort();
}

/** The address of a file or folder of the repository, at this version. */
async function repositoryAtVersion(): Promise<(path: string) => string> {
	const { homepage, version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
	return (path) => {
		const kind = statSync(join(ROOT, path)).isDirectory() ? 'tree' : 'blob';
		return `${homepage.replace('#readme', '')}/${kind}/v${version}/${path}`;
	};
}
