import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pythonVersion } from '../../clients/python/generate/version.ts';
import { withWorkingLinks } from '../../scripts/documents.ts';
import { ROOT, run } from './run.ts';

const CLIENT = 'clients/python';
const TOOLS = join(ROOT, 'release/tools/requirements.txt');

export interface PythonPackagesOptions {
	/** Such as 1.0.0-rc.1. */
	readonly version: string;
	/** The time of everything in the packages, in Unix seconds. */
	readonly sourceDateEpoch: number;
	/** An empty folder for what only the build needs. */
	readonly temporary: string;
	readonly outFolder: string;
}

/**
 * Makes the source archive of the Python client, and the wheel out of that archive, and has both checked. They are built
 * away from the checkout.
 */
export async function makePythonPackages(options: PythonPackagesOptions): Promise<void> {
	const { version, sourceDateEpoch, temporary, outFolder } = options;
	const python = installTools(join(temporary, 'tools'));
	const source = join(temporary, 'source');
	await copySource(source);
	run([python, '-m', 'build', '-qq', '--no-isolation', '--outdir', outFolder, source], {
		environment: { SOURCE_DATE_EPOCH: String(sourceDateEpoch) },
	});
	// Another version in its manifest is an error here: these files do not exist then.
	const name = join(outFolder, `bursar-${pythonVersion(version)}`);
	const wheel = `${name}-py3-none-any.whl`;
	run([python, '-m', 'twine', 'check', '--strict', wheel, `${name}.tar.gz`]);
	run([python, '-m', 'check_wheel_contents', wheel]);
}

/** Throws unless there is a Python that can make the packages. */
export function assertPython(): void {
	const isUsable = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))';
	if (spawnSync('python3', ['-c', isUsable]).status === 0) return;
	throw new Error('A release needs python3, 3.10 or newer, with its venv. On Debian: apt-get install python3-venv');
}

/** Installs what builds and checks the packages, as its lockfile says. Returns the path of that Python. */
function installTools(folder: string): string {
	run(['python3', '-m', 'venv', folder]);
	const python = join(folder, 'bin/python');
	const options = ['--require-hashes', '--no-deps', '--only-binary=:all:', '--no-compile', '--quiet'];
	run([python, '-m', 'pip', '--disable-pip-version-check', 'install', ...options, '--requirement', TOOLS]);
	return python;
}

/** The package without its generator and its tests, with the documents that it shows. */
async function copySource(folder: string): Promise<void> {
	mkdirSync(folder);
	cpSync(join(ROOT, CLIENT, 'src'), join(folder, 'src'), { recursive: true, filter: isOfPackage });
	copyFileSync(join(ROOT, CLIENT, 'pyproject.toml'), join(folder, 'pyproject.toml'));
	copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
	writeFileSync(join(folder, 'README.md'), await withWorkingLinks(`${CLIENT}/README.md`));
}

/** What git ignores, such as a file with a token, may lie among the sources of a tag. */
function isOfPackage(path: string): boolean {
	return statSync(path).isDirectory() || path.endsWith('.py') || basename(path) === 'py.typed';
}
