import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '@bursar/contract';
import type { Answer } from './answer.ts';
import { RuleFailure } from './check-errors.ts';

/** Fields in any order are equal. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
	if (!isDeepStrictEqual(actual, expected)) throw new RuleFailure(what, show(expected), show(actual));
}

/** `expected` is the guarantee in words; `actual` is shown as it is. */
export function expectThat(holds: boolean, what: string, expected: string, actual: unknown): void {
	if (!holds) throw new RuleFailure(what, expected, show(actual));
}

/** The data of an answer that says yes. Which of the statuses from 200 on says so is a rule of its own. */
export function expectAccepted(answer: Answer, what = answer.asked): unknown {
	if (!isAccepted(answer)) throw new RuleFailure(what, 'a success', showAnswer(answer));
	return answer.data;
}

export function isAccepted({ status }: Answer): boolean {
	return status >= 200 && status < 300;
}

/** The answer must be that failure: one of the codes, where the rules leave open which. */
export function expectFailure(
	answer: Answer,
	status: number,
	codes: ErrorCode | readonly ErrorCode[],
	what = '',
): void {
	const allowed: readonly string[] = [codes].flat();
	if (answer.status === status && answer.errorCode !== null && allowed.includes(answer.errorCode)) return;
	const asked = what === '' ? answer.asked : `${answer.asked}, ${what}`;
	throw new RuleFailure(asked, `${status} ${allowed.join(' or ')}`, showAnswer(answer));
}

/** The value must be an object with exactly these fields. */
export function expectFields(what: string, value: unknown, names: readonly string[]): Record<string, unknown> {
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	if (!isObject) throw new RuleFailure(what, `an object with the fields ${names.join(', ')}`, show(value));
	const actual = Object.keys(value).sort().join(', ');
	const expected = [...names].sort().join(', ');
	if (actual !== expected) throw new RuleFailure(what, `exactly the fields ${expected}`, `the fields ${actual}`);
	return value as Record<string, unknown>;
}

/** The value must be text of that form, which `form` describes. */
export function expectForm(what: string, value: unknown, pattern: RegExp, form: string): void {
	expectThat(typeof value === 'string' && pattern.test(value), what, form, value);
}

/** The value must be an array. */
export function expectArray(what: string, value: unknown): readonly unknown[] {
	if (!Array.isArray(value)) throw new RuleFailure(what, 'an array', show(value));
	return value;
}

/** A field of something that may be no object at all. */
export function fieldOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** An answer in a few words: its status, and the code of the failure. */
export function showAnswer({ status, errorCode }: Answer): string {
	return errorCode === null ? `${status} without an error code` : `${status} ${errorCode}`;
}

function show(value: unknown): string {
	if (value === undefined) return 'nothing';
	return JSON.stringify(value);
}
