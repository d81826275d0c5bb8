import { setTimeout } from 'node:timers/promises';
import { standardError, visible } from '@bursar/terminal';
import { writeOutput } from './standard-output.ts';

/** A command that could not do what it was asked, with a code for scripts and a sentence for people. */
export class CommandError extends Error {
	override readonly name = 'CommandError';
	readonly code: string;
	/** Whether it was called wrongly, rather than refused. */
	readonly isUsage: boolean;
	/** What it did all the same, without any secret. */
	readonly done: Readonly<Record<string, unknown>> | undefined;

	constructor(code: string, message: string, { isUsage = false, done }: CommandErrorOptions = {}) {
		super(message);
		this.code = code;
		this.isUsage = isUsage;
		this.done = done;
	}
}

interface CommandErrorOptions {
	readonly isUsage?: boolean;
	readonly done?: CommandError['done'];
}

type Result = Readonly<Record<string, unknown>>;

/** Prints a result: with `--json` as one object, otherwise as aligned lines of `name value`. Data goes to stdout. */
export function printResult(result: Result, asJson: boolean | undefined): void {
	printLines(resultLines(result, asJson));
}

export function resultLines(result: Result, asJson: boolean | undefined): readonly string[] {
	if (asJson) return [JSON.stringify(result)];
	const width = Math.max(...Object.keys(result).map((name) => name.length));
	return Object.entries(result).map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

/** Prints rows of text under their column names. */
export function printTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
	const cells = [columns, ...rows].map((row) => row.map(visible));
	const widths = columns.map((_, place) => Math.max(...cells.map((row) => row[place]?.length ?? 0)));
	printLines(
		cells.map((row) =>
			row
				.map((cell, place) => cell.padEnd(widths[place] ?? 0))
				.join('  ')
				.trimEnd(),
		),
	);
}

/** Throws if they are lost, as far as that is known at once. */
export function printLines(lines: readonly string[]): void {
	try {
		writeOutput(textOf(lines));
	} catch (cause) {
		throw new CommandError('output_failed', unwritten(cause));
	}
}

/** Arguments, names and messages come from elsewhere: on a terminal they must not steer it. */
export function textOf(lines: readonly string[]): string {
	return lines.map((line) => `${visible(line)}\n`).join('');
}

/** Words for people: never on stdout, where data goes. `false`: whoever says more should wait for `drain`. */
export function say(line: string): boolean {
	return standardError().write(textOf([line]));
}

/** Waits until all that was printed has been taken, or the time is up: a reader that stalls holds nobody up. */
export async function outputWritten(limitMs: number): Promise<void> {
	const taken = [process.stdout, standardError()].map(
		(stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
	);
	await Promise.race([Promise.all(taken), setTimeout(limitMs)]);
}

export function printError(code: string, message: string, asJson: boolean, done?: CommandError['done']): void {
	const safe = message.replace(TOKEN, 'brs_[redacted]').replace(PASSWORD, '$1:***@');
	say(asJson ? JSON.stringify({ error: { code, message: safe, done } }) : `bursar: ${safe}`);
}

/** What looks like a token, and more like one than any username: pasted in a wrong place, it comes back in messages. */
const TOKEN = /brs_[0-9A-Za-z]{29,}/g;
/** The password in the URL of a database, also where that was taken for a path; but not in the form that we ask for. */
const PASSWORD = /(postgres(?:ql)?:\/+[^:@/\s]*):(?!password@)[^\s/]*@/g;

/**
 * Whoever reads our output may stop reading (`| head -1`): that is theirs to decide, and no failure.
 * Where it cannot be written for another reason, the result is lost, and that is one.
 */
export function guardOutput(asJson: boolean): void {
	process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
		if (cause.code === 'EPIPE') return;
		process.exitCode = 1;
		printError('output_failed', unwritten(cause), asJson);
	});
}

export function unwritten(cause: unknown): string {
	return `standard output could not be written (${(cause as NodeJS.ErrnoException).code})`;
}

/** Cents as people write them. */
export function dollars(cents: number): string {
	const sign = cents < 0 ? '-' : '';
	const digits = String(Math.abs(cents)).padStart(3, '0');
	return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)} USD`;
}
