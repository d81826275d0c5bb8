import { appendFile, appendFileSync, fstatSync, fsync } from 'node:fs';
import { promisify } from 'node:util';
import { visible } from '@bursar/contract/visible';
import { CommandError } from './command-error.ts';
import { durableAppender } from './durable-appender.ts';

const STDOUT = 1;

/** Prints data. Throws if stdout is a file that cannot take all of it. Other failures reach `guardOutput`. */
export function print(lines: readonly string[]): void {
	const text = textOf(lines);
	if (isStdoutAFile()) {
		try {
			// The stream does not notice if a full disk cuts a write short.
			appendFileSync(STDOUT, text);
		} catch (cause) {
			throw outputFailure(cause as NodeJS.ErrnoException);
		}
	} else standardOutput().write(text);
}

/**
 * Resolves once stdout has accepted the lines. If stdout is a file, resolves once they would survive a crash of the
 * machine. Waits for a slow reader. Rejects if stdout does not accept the lines, also if the reader is gone.
 */
export async function printSurely(lines: readonly string[]): Promise<void> {
	const text = textOf(lines);
	try {
		if (isStdoutAFile()) return await appendToStdout(text);
		await writeToStdout(text);
	} catch (cause) {
		throw outputFailure(cause as NodeJS.ErrnoException);
	}
}

/**
 * Prints a part of a long result, and waits for a slow reader. Resolves with whether more may follow: not if the reader
 * stopped reading. Rejects if stdout does not accept it for another reason.
 */
export function printMore(lines: readonly string[]): Promise<boolean> {
	return writeText(textOf(lines));
}

/** Prints a text exactly as it is, unless stdout is a terminal, which it could steer. Otherwise like `printMore`. */
export function printExactly(text: string): Promise<boolean> {
	return process.stdout.isTTY ? printMore(text.split('\n')) : writeText(text);
}

async function writeText(text: string): Promise<boolean> {
	try {
		if (isStdoutAFile()) await promisify(appendFile)(STDOUT, text);
		else await writeToStdout(text);
		return true;
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === 'EPIPE') return false;
		throw outputFailure(cause as NodeJS.ErrnoException);
	}
}

/**
 * Call this before anything is printed. It is not a failure if the reader stops reading (`| head -1`). If stdout cannot
 * be written for another reason, the result is lost, and `tell` is called once.
 */
export function guardOutput(tell: (failure: CommandError) => void): void {
	tellGuard = tell;
}

/** Standard output, guarded. */
export function standardOutput(): NodeJS.WriteStream {
	if (!process.stdout.listeners('error').includes(failed)) process.stdout.on('error', failed);
	return process.stdout;
}

let tellGuard = (_failure: CommandError): void => {};

function failed(cause: NodeJS.ErrnoException): void {
	if (isFailureTold || cause.code === 'EPIPE') return;
	isFailureTold = true;
	tellGuard(outputFailure(cause));
}

/** Every later write fails too, so the failure is reported only once. */
let isFailureTold = false;

/** Lines that are printed while the disk is busy share the next flush. */
const appendToStdout = durableAppender({
	appendFile: (text) => promisify(appendFile)(STDOUT, text),
	flush: () => promisify(fsync)(STDOUT),
});

function writeToStdout(text: string): Promise<void> {
	return new Promise((resolve, reject) => {
		standardOutput().write(text, (cause) => {
			if (!cause) return resolve();
			// The caller reports the failure. The stream's own event comes later.
			isFailureTold = true;
			reject(cause);
		});
	});
}

/** `false` if it is closed, or was replaced by another stream. */
function isStdoutAFile(): boolean {
	try {
		return fstatSync(process.stdout.fd).isFile();
	} catch {
		return false;
	}
}

/** Names, arguments and messages come from outside and must not steer a terminal. */
function textOf(lines: readonly string[]): string {
	return lines.map((line) => `${visible(line)}\n`).join('');
}

function outputFailure({ code }: NodeJS.ErrnoException): CommandError {
	const why = code === 'EPIPE' ? 'its reader is gone' : code;
	return new CommandError('output_failed', `standard output could not be written (${why})`);
}
