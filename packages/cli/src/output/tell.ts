import { type Failure, printError, say } from '@bursar/terminal';
import type { JsonForm } from './json.ts';
import { feeWords } from './units.ts';

/** Prints a warning: the command goes on. */
export function warn(code: string, message: string, asJson: JsonForm | undefined): void {
	say(asJson ? JSON.stringify({ warning: { code, message } }) : `bursarctl: warning: ${message}`);
}

/** Prints a failure, and returns its exit code. */
export function tellFailure(failure: Failure, asJson: boolean): number {
	const { code, details, exitCode } = failure;
	const paid = asJson || details.fee === undefined ? '' : ` (fee paid: ${paidWords(details.fee)})`;
	const { change_id: changeId } = (details.known ?? {}) as { change_id?: string };
	const advice = asJson || changeId === undefined ? '' : `. To look later: bursarctl change ${changeId}`;
	const token = process.env.BURSAR_TOKEN;
	printError(
		'bursarctl',
		{ code, message: failure.message + paid + advice, exitCode, details },
		asJson,
		token ? [token] : [],
	);
	return exitCode;
}

function paidWords(fee: unknown): string {
	const { min_cents: minCents, max_cents: maxCents } = fee as { min_cents: number; max_cents: number };
	return feeWords({ minCents, maxCents });
}
