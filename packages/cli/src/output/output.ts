import { appendFile, appendFileSync, type BigIntStats, fstatSync, fsync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { standardError, visible } from '@bursar/terminal';
import { CommandError, errorFields, type Failure, failureOf, UsageError } from '../failure.ts';
import { durableAppender } from './durable-appender.ts';
import { feeWords } from './units.ts';

/** Data: on stdout. Names and messages come from elsewhere: on a terminal they must not steer it. */
export function print(line: string): void {
	const text = `${visible(line)}\n`;
	if (!isStdoutAFile()) {
		process.stdout.write(text);
		return;
	}
	try {
		// The stream would take a write that a full disk has cut short for a whole one.
		appendFileSync(STDOUT, text);
	} catch (cause) {
		tellOutputFailure(cause as NodeJS.ErrnoException);
	}
}

/**
 * Resolves once stdout has accepted it; if that is a file, once it would survive a crash of the machine. Rejects where
 * it has not, also where nobody reads any more.
 */
export async function printSurely(line: string): Promise<void> {
	const text = `${visible(line)}\n`;
	try {
		await (isStdoutAFile() ? appendToStdout(text) : writeToStdout(text));
	} catch (cause) {
		throw outputFailure(cause as NodeJS.ErrnoException);
	}
}

const STDOUT = 1;
const STDERR = 2;

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
			isOutputFailureTold = true;
			reject(cause);
		});
	});
}

function isStdoutAFile(): boolean {
	isFile ??= statOf(STDOUT)?.isFile() ?? false;
	return isFile;
}

let isFile: boolean | undefined;

/** Throws a `UsageError` if what is printed or said goes to one of these files: it would be read as what it is not. */
export function refuseAsOutput(files: readonly string[]): void {
	for (const file of files) {
		const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
		const isOutput = [STDOUT, STDERR]
			.map(statOf)
			.some((output) => output?.ino === stat?.ino && output?.dev === stat?.dev);
		if (stat === undefined || !isOutput) continue;
		throw new UsageError(
			`the output of this command goes to ${file}, which it works with. Nothing was sent`,
			'output_is_input',
		);
	}
}

/** `undefined` if it is closed. */
function statOf(descriptor: number): BigIntStats | undefined {
	try {
		return fstatSync(descriptor, { bigint: true });
	} catch {
		return undefined;
	}
}

/** Words for people: never on stdout, where data goes. */
export function say(line: string): void {
	standardError().write(`${visible(line)}\n`);
}

export function printJson(value: unknown): void {
	print(JSON.stringify(value));
}

/** Aligned lines of `name value`. */
export function printRecord(record: Readonly<Record<string, string>>): void {
	const width = Math.max(...Object.keys(record).map((name) => name.length));
	for (const [name, value] of Object.entries(record)) print(`${name.padEnd(width)}  ${value}`);
}

/** Something that is no failure, and that somebody should know. */
export function warn(code: string, message: string, asJson: boolean | undefined): void {
	say(asJson ? JSON.stringify({ warning: { code, message } }) : `bursarctl: warning: ${message}`);
}

export function printError(failure: Failure, asJson: boolean): void {
	const message = redact(failure.message);
	const { fee } = failure.details;
	if (asJson) say(JSON.stringify({ error: errorFields({ ...failure, message }) }));
	else say(`bursarctl: ${message}${fee === undefined ? '' : ` (fee paid: ${paidWords(fee)})`}`);
}

function paidWords(fee: unknown): string {
	const { min_cents: minCents, max_cents: maxCents } = fee as { min_cents: number; max_cents: number };
	return feeWords({ minCents, maxCents });
}

/** What looks like a token, and more like one than any username: pasted in a wrong place, it comes back in messages. */
const TOKEN = /brs_[0-9A-Za-z]{29,}/g;

function redact(text: string): string {
	const token = process.env.BURSAR_TOKEN;
	const safe = text.replace(TOKEN, 'brs_[redacted]');
	return token ? safe.replaceAll(token, '[redacted]') : safe;
}

/**
 * Whoever reads our output may stop reading (`| head -1`): that is theirs to decide, and no failure.
 * Where it cannot be written for another reason, the result is lost, and that is one.
 */
export function guardOutput(asJson: boolean): void {
	isTellingJson = asJson;
	process.stdout.on('error', tellOutputFailure);
}

let isTellingJson = false;

/** Each write that follows fails too: once is enough. */
let isOutputFailureTold = false;

function tellOutputFailure(cause: NodeJS.ErrnoException): void {
	if (isOutputFailureTold || cause.code === 'EPIPE') return;
	isOutputFailureTold = true;
	const failure = failureOf(outputFailure(cause));
	process.exitCode = failure.exitCode;
	printError(failure, isTellingJson);
}

function outputFailure({ code }: NodeJS.ErrnoException): CommandError {
	const why = code === 'EPIPE' ? 'its reader is gone' : code;
	return new CommandError('output_failed', `standard output could not be written (${why})`);
}
