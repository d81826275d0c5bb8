import { endsBulk } from '@bursar/contract/bulk-run';
import type { SubUserLimits } from '@bursar/contract/dashboard';
import { isForNow, isLost, newActId } from '../../acts/act.ts';
import type { CallCode } from '../../calls/call.ts';
import type { OperationName } from './operations.ts';

/** What became of a line. */
export type Outcome =
	/** It was not done: not sent yet, or refused for now. */
	| { readonly state: 'open'; readonly code?: CallCode }
	/** Its answer was lost. Sent again, it is done once, or it turns out that it was done before. */
	| { readonly state: 'unknown' }
	| { readonly state: 'done' }
	/** It was not done, and will not be. */
	| { readonly state: 'refused'; readonly code: CallCode };

export interface RunLine {
	/** Its line in the file, or its position among the selected ones. */
	readonly line: number;
	readonly username: string;
	/** What is moved, or given to a new sub-user, in USD cents; 0 without an amount. */
	readonly cents: number;
	/** What it is for. Absent: no reference. */
	readonly reference?: string;
	/** What a new sub-user has beside its balance. */
	readonly limits?: Partial<SubUserLimits>;
	readonly note?: string;
	/** The id of its act: the same for each try, so that it cannot be done twice. */
	readonly act: string;
	readonly outcome: Outcome;
}

/** One change of many sub-users. */
export interface Run {
	readonly operation: OperationName;
	/** The name of the file; empty for lines that were selected. */
	readonly file: string;
	/** What is set, if the operation sets limits. */
	readonly limits?: Partial<SubUserLimits>;
	/** The id of the selection that it was prepared from. */
	readonly draft?: string;
	readonly lines: readonly RunLine[];
}

export type WantedLine = Omit<RunLine, 'act' | 'outcome'>;

export function newRun(run: Omit<Run, 'lines'>, lines: readonly WantedLine[]): Run {
	return { ...run, lines: lines.map((line) => ({ ...line, act: newActId(), outcome: { state: 'open' } })) };
}

/** Refusals after which every other line would be refused too. The line stays open. */
const ENDING: readonly CallCode[] = ['signed_out', 'wrong_origin', 'not_for_operators'];

/** What is known of a line after it was sent. `code`: why it failed. */
export function outcomeAfter(before: Outcome, operation: OperationName, code: CallCode | undefined): Outcome {
	if (code === undefined || code === 'act_repeated') return { state: 'done' };
	if (isLost(code) || code === 'page_fault') return { state: 'unknown' };
	if (isForNow(code) || endsRun(operation, code)) return before.state === 'unknown' ? before : { state: 'open', code };
	return { state: 'refused', code };
}

/** Whether a run stops at this refusal: all other lines would be refused as well. */
export function endsRun(operation: OperationName, code: CallCode | undefined): boolean {
	return code !== undefined && (ENDING.includes(code) || endsBulk(operation, code));
}

/** Whether going on sends the line. */
export function isLeft({ outcome }: RunLine): boolean {
	return outcome.state === 'open' || outcome.state === 'unknown';
}

export type Counts = Readonly<Record<Outcome['state'], number>>;

export function countsOf({ lines }: Run): Counts {
	const counts = { open: 0, unknown: 0, done: 0, refused: 0 };
	for (const { outcome } of lines) counts[outcome.state]++;
	return counts;
}

/** Whether a line says what it is for. */
export function hasReferences(lines: readonly WantedLine[]): boolean {
	return lines.some(({ reference }) => reference !== undefined);
}

/** Whether a new sub-user has more than a balance from the beginning. */
export function hasTerms({ limits, note }: WantedLine): boolean {
	return limits !== undefined || note !== undefined;
}

export function totalCents(lines: readonly WantedLine[]): number {
	return lines.reduce((sum, { cents }) => sum + cents, 0);
}

/** What is sent for a line. Each time it is sent, it is the same. */
export function bodyOf(
	{ operation, limits }: Run,
	{ act, username, cents, reference, limits: ownLimits, note }: RunLine,
): { readonly act: string } {
	const body = { act, username };
	const amount = { amount: cents, ...(reference !== undefined && { reference }) };
	switch (operation) {
		case 'create':
			return Object.assign(
				body,
				cents > 0 && amount,
				ownLimits && { limits: ownLimits },
				note !== undefined && { note },
			);
		case 'give':
		case 'take':
			return Object.assign(body, amount);
		case 'limits':
			return Object.assign(body, { limits });
		default:
			return body;
	}
}
