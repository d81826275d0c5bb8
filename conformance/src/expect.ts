import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '@bursar/contract';
import type { Answer } from './answer.ts';
import { RuleFailure } from './check-errors.ts';

/** Compares deeply; the order of fields does not matter. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
	if (!isDeepStrictEqual(actual, expected)) throw new RuleFailure(what, show(expected), show(actual));
}

/** `expected` is text for people; `actual` is shown as JSON. */
export function expectThat(holds: boolean, what: string, expected: string, actual: unknown): void {
	if (!holds) throw new RuleFailure(what, expected, show(actual));
}

/** The data of a successful answer. Any 2xx counts here; another rule demands 200. */
export function expectAccepted(answer: Answer, what = answer.asked): unknown {
	if (!isAccepted(answer)) throw new RuleFailure(what, 'a success', showAnswer(answer));
	return answer.data;
}

export function isAccepted({ status }: Answer): boolean {
	return status >= 200 && status < 300;
}

/** The answer must have the status and one of the codes. */
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

/** The value must be text that matches the pattern; `form` describes it. */
export function expectForm(what: string, value: unknown, pattern: RegExp, form: string): void {
	expectThat(typeof value === 'string' && pattern.test(value), what, form, value);
}

/** The value must be an array. */
export function expectArray(what: string, value: unknown): readonly unknown[] {
	if (!Array.isArray(value)) throw new RuleFailure(what, 'an array', show(value));
	return value;
}

/** A field of a value that may not be an object. */
export function fieldOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** The status and the error code of an answer, for messages. */
export function showAnswer({ status, errorCode }: Answer): string {
	return errorCode === null ? `${status} without an error code` : `${status} ${errorCode}`;
}

function show(value: unknown): string {
	if (value === undefined) return 'nothing';
	return JSON.stringify(value);
}
