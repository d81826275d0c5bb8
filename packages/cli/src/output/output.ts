import { visible } from '@bursar/terminal';
import { CommandError, errorFields, type Failure, failureOf } from '../failure.ts';
import { feeWords } from './units.ts';

/** Data: on stdout. Names and messages come from elsewhere: on a terminal they must not steer it. */
export function print(line: string): void {
	process.stdout.write(`${visible(line)}\n`);
}

/** Resolves once stdout has accepted it. Rejects where it has not, also where nobody reads any more. */
export function printSurely(line: string): Promise<void> {
	return new Promise((resolve, reject) => {
		process.stdout.write(`${visible(line)}\n`, (cause) => {
			if (!cause) return resolve();
			// The caller tells of it, and before the stream does: its event comes after this.
			isOutputFailureTold = true;
			reject(outputFailure(cause));
		});
	});
}

/** Words for people: never on stdout, where data goes. */
export function say(line: string): void {
	process.stderr.write(`${visible(line)}\n`);
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
	process.stderr.on('error', () => {});
	process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
		if (isOutputFailureTold || cause.code === 'EPIPE') return;
		isOutputFailureTold = true;
		const failure = failureOf(outputFailure(cause));
		process.exitCode = failure.exitCode;
		printError(failure, asJson);
	});
}

/** Each write that follows fails too: once is enough. */
let isOutputFailureTold = false;

function outputFailure({ code }: NodeJS.ErrnoException): CommandError {
	const why = code === 'EPIPE' ? 'its reader is gone' : code;
	return new CommandError('output_failed', `standard output could not be written (${why})`);
}
