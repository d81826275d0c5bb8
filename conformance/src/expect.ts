import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '@bursar/contract';
import type { Answer, Basis } from './wire/answer.ts';

/** The service breaks the rule. */
export class RuleFailure extends Error {
	override readonly name = 'RuleFailure';
	readonly expected: string;
	readonly actual: string;

	/** `message` names what was checked. */
	constructor(message: string, expected: string, actual: string) {
		super(message);
		this.expected = expected;
		this.actual = actual;
	}
}

/** The suite cannot find out whether the service keeps the rule. The message says why. */
export class NotTestable extends Error {
	override readonly name = 'NotTestable';
}

/** The run is stopping and makes no more calls. */
export class Interrupted extends Error {
	override readonly name = 'Interrupted';
}

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

/**
 * The answer must have the status and one of the codes. The contract names neither, so by the contract any failure will do.
 */
export function expectFailure(
	answer: Answer,
	status: number,
	codes: ErrorCode | readonly ErrorCode[],
	what = '',
): void {
	const allowed: readonly string[] = [codes].flat();
	const isExact = answer.status === status && answer.errorCode !== null && allowed.includes(answer.errorCode);
	if (answer.heldTo === 'contract' ? answer.status >= 400 : isExact) return;
	const asked = what === '' ? answer.asked : `${answer.asked}, ${what}`;
	const expected = answer.heldTo === 'contract' ? 'a failure' : `${status} ${allowed.join(' or ')}`;
	throw new RuleFailure(asked, expected, showAnswer(answer));
}

/** The value must be an object with these fields. The contract does not say that there are no others. */
export function expectFields(
	what: string,
	value: unknown,
	names: readonly string[],
	heldTo: Basis = 'bursar',
): Record<string, unknown> {
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	if (!isObject) throw new RuleFailure(what, `an object with the fields ${names.join(', ')}`, show(value));
	const actual = Object.keys(value);
	const judged = heldTo === 'contract' ? actual.filter((name) => names.includes(name)) : actual;
	const shown = (fields: readonly string[]) => [...fields].sort().join(', ');
	if (shown(judged) !== shown(names)) {
		const exactly = heldTo === 'contract' ? 'at least' : 'exactly';
		throw new RuleFailure(what, `${exactly} the fields ${shown(names)}`, `the fields ${shown(actual)}`);
	}
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

/** The fields of an account or a sub-user. */
export const ACCOUNT_FIELDS = ['username', 'balance', 'proxy_authkey', 'date_created'] as const;

/** These fields of an account, without others that a service may add. */
export function accountIn(value: unknown): Record<string, unknown> {
	return Object.fromEntries(ACCOUNT_FIELDS.map((name) => [name, fieldOf(value, name)]));
}

/** The status and the error code of an answer, for messages. */
export function showAnswer({ status, errorCode }: Answer): string {
	return errorCode === null ? `${status} without an error code` : `${status} ${errorCode}`;
}

function show(value: unknown): string {
	return JSON.stringify(value) ?? 'nothing';
}
