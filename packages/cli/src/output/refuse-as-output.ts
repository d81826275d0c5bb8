import { type BigIntStats, fstatSync, statSync } from 'node:fs';
import { UsageError } from '@bursar/terminal';

const STDOUT = 1;
const STDERR = 2;

/** Throws a `UsageError` if stdout or stderr goes to one of these files: the output would damage them. */
export function refuseAsOutput(files: readonly string[]): void {
	for (const file of files) {
		const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
		const isOutput = [STDOUT, STDERR]
			.map(statOf)
			.some((output) => output?.ino === stat?.ino && output?.dev === stat?.dev);
		if (stat === undefined || !isOutput) continue;
		throw new UsageError(
			`the output of this command goes to ${file}, which the command itself uses. Nothing was sent`,
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
