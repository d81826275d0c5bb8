import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Ending, type ProcessOptions, startProcess } from './test-process.ts';

/** A command line as a function of `process.argv`. It returns its exit code, or sets it. */
export interface CommandFunction {
	/** The path of its module. */
	readonly file: string;
	readonly name: string;
}

/** How one of them ended. */
export interface CommandRun extends Pick<Ending, 'code' | 'stdout' | 'stderr'> {
	/** Its arguments. */
	readonly line: string;
}

/** Ends each output, and follows each exit code. No command prints it. */
const END = '\0';

const PROGRAM = `
	import { writeSync } from 'node:fs';
	const [file, name, lines] = process.argv.slice(1);
	const { [name]: run } = await import(file);
	for (const args of JSON.parse(lines)) {
		process.exitCode = 0;
		const code = (await run(['node', name, ...args])) ?? process.exitCode;
		for (const stream of [process.stdout, process.stderr]) await new Promise((resolve) => stream.write('', resolve));
		writeSync(1, '\\0' + code + '\\0');
		writeSync(2, '\\0');
	}
	process.exitCode = 0;
`;

/**
 * Runs a command line with each of the argument lists, one after another in one process: a process for each takes most
 * of the time of a test that tries many.
 */
export async function runEach(
	test: TestContext,
	{ file, name }: CommandFunction,
	lines: readonly (readonly string[])[],
	options?: ProcessOptions,
): Promise<readonly CommandRun[]> {
	const program = ['--input-type=module', '-e', PROGRAM, pathToFileURL(file).href, name, JSON.stringify(lines)];
	const { code, stdout, stderr } = await startProcess(test, [process.execPath, ...program], options).ended;
	const [out, err] = [stdout.split(END), stderr.split(END)];
	if (code !== 0 || out.length !== 2 * lines.length + 1) throw new Error(`${name} ended early: ${stdout}${stderr}`);
	return lines.map((args, place) => ({
		line: args.join(' '),
		code: Number(out[2 * place + 1]),
		stdout: out[2 * place] as string,
		stderr: err[place] as string,
	}));
}
