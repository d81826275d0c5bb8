import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The root of the repository. */
export const ROOT = join(import.meta.dirname, '../..');

/** Runs a program, and returns what it wrote to standard output. Throws if it fails. */
export function run(
	[program, ...args]: readonly [string, ...string[]],
	{ cwd = ROOT, environment = {} }: { cwd?: string; environment?: Readonly<Record<string, string>> } = {},
): string {
	return execFileSync(program, args, {
		cwd,
		env: { ...process.env, ...environment },
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
		maxBuffer: 64 * 1024 * 1024,
	});
}

/** The command line of `npm`, on this Node if npm runs us. */
export function npm(...args: string[]): [string, ...string[]] {
	const cli = process.env.npm_execpath;
	return cli?.endsWith('.js') ? [process.execPath, cli, ...args] : ['npm', ...args];
}
