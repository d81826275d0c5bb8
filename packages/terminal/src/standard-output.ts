import { appendFile, appendFileSync, fstatSync, fsync } from 'node:fs';
import { promisify } from 'node:util';
import { CommandError } from './command-error.ts';
import { durableAppender } from './durable-appender.ts';
import { visible } from './visible.ts';

const STDOUT = 1;

/** Prints data. Throws if a file cannot take all of it. What becomes of it elsewhere, the guard is told later. */
export function print(lines: readonly string[]): void {
	if (!isStdoutAFile()) {
		process.stdout.write(textOf(lines));
		return;
	}
	try {
		// The stream would take a write that a full disk has cut short for a whole one.
		appendFileSync(STDOUT, textOf(lines));
	} catch (cause) {
		throw outputFailure(cause as NodeJS.ErrnoException);
	}
}

/**
 * Resolves once stdout has accepted the lines; if it is a file, once they would survive a crash of the machine. Waits
 * for a reader that stalls. Rejects if they were not accepted, also if the reader is gone.
 */
export async function printSurely(lines: readonly string[]): Promise<void> {
	const text = textOf(lines);
	try {
		await (isStdoutAFile() ? appendToStdout(text) : writeToStdout(text));
	} catch (cause) {
		throw outputFailure(cause as NodeJS.ErrnoException);
	}
}

/**
 * Must be called before anything is printed. A reader may stop reading (`| head -1`): that is no failure. `tell` is
 * called, once, if stdout cannot be written for another reason: then the result is lost.
 */
export function guardOutput(tell: (failure: CommandError) => void): void {
	process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
		if (isFailureTold || cause.code === 'EPIPE') return;
		isFailureTold = true;
		tell(outputFailure(cause));
	});
}

/** Each write that follows fails too: once is enough. */
let isFailureTold = false;

/** Lines that are printed while the disk is busy share the next flush. */
const appendToStdout = durableAppender({
	appendFile: (text) => promisify(appendFile)(STDOUT, text),
	flush: () => promisify(fsync)(STDOUT),
});

function writeToStdout(text: string): Promise<void> {
	return new Promise((resolve, reject) => {
		process.stdout.write(text, (cause) => {
			if (!cause) return resolve();
			// The caller tells of it, and before the stream does: its event comes after this.
			isFailureTold = true;
			reject(cause);
		});
	});
}

let isFile: boolean | undefined;

function isStdoutAFile(): boolean {
	isFile ??= fileAt(STDOUT);
	return isFile;
}

/** `false` if it is closed. */
function fileAt(descriptor: number): boolean {
	try {
		return fstatSync(descriptor).isFile();
	} catch {
		return false;
	}
}

/** Names, arguments and messages come from elsewhere: on a terminal they must not steer it. */
function textOf(lines: readonly string[]): string {
	return lines.map((line) => `${visible(line)}\n`).join('');
}

function outputFailure({ code }: NodeJS.ErrnoException): CommandError {
	const why = code === 'EPIPE' ? 'its reader is gone' : code;
	return new CommandError('output_failed', `standard output could not be written (${why})`);
}
