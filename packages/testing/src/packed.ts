import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from './temporary-folder.ts';

/** The folder of the workspace's packages. */
export const PACKAGES = join(import.meta.dirname, '../..');

/** How a program ended. */
export interface Ending {
	readonly code: number | null;
	readonly output: string;
}

/** Runs a program to its end, at most 15 minutes. `output` has both of its streams. */
export async function run(
	[program, ...args]: readonly [string, ...string[]],
	cwd: string,
	environment: Readonly<Record<string, string>> = {},
): Promise<Ending> {
	const child = spawn(program, args, {
		cwd,
		env: { ...process.env, NO_COLOR: '1', ...environment },
		stdio: ['ignore', 'pipe', 'pipe'],
		timeout: 900_000,
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			output += text;
		});
	}
	const [code] = (await once(child, 'close')) as [number | null];
	return { code, output };
}

/** The command line of `npm`, run by the Node that runs the tests. */
export function npm(...args: string[]): [string, ...string[]] {
	const cli = process.env.npm_execpath;
	return cli?.endsWith('.js') ? [process.execPath, cli, ...args] : ['npm', ...args];
}

/** Builds a package of the workspace as it is published. Resolves with its folder, which npm can pack or install. */
export async function buildPublished(
	test: TestContext,
	name: 'client' | 'cli' | 'edge' | 'server' = 'client',
): Promise<string> {
	const folder = temporaryFolder(test);
	const built = await run(
		[...toolOf('tsdown', 'dist/run.mjs'), '--out-dir', join(folder, 'dist')],
		join(PACKAGES, name),
	);
	assert.equal(built.code, 0, built.output);
	return join(folder, 'dist');
}

/** Builds the client as it is published, and packs it. Resolves with the path of the tarball. */
export async function pack(test: TestContext): Promise<string> {
	const folder = temporaryFolder(test);
	const packed = await run(npm('pack', '--pack-destination', folder), await buildPublished(test));
	assert.equal(packed.code, 0, packed.output);
	const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? assert.fail(packed.output);
	return join(folder, tarball);
}

/**
 * A new project with only these packages and their dependencies. Each is a tarball, or a folder that npm packs in the
 * same process: to start it once more for the tarball takes as long as the installation.
 */
export async function projectWith(test: TestContext, ...packages: string[]): Promise<string> {
	const folder = join(temporaryFolder(test), 'project');
	mkdirSync(folder);
	writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
	const options = ['--install-links', '--prefer-offline', '--no-audit', '--no-fund'];
	const installed = await run(npm('install', ...options, ...packages), folder);
	assert.equal(installed.code, 0, installed.output);
	return folder;
}

/** The command line of a program from an installed package, run by the Node that runs the tests. */
export function toolOf(packageName: string, bin: string): [string, string] {
	return [process.execPath, join(PACKAGES, '../node_modules', packageName, bin)];
}
