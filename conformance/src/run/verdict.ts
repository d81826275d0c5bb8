import { visible } from '@bursar/terminal';
import { Interrupted, NotTestable, RuleFailure } from '../expect.ts';
import { CallError } from '../wire/http-call.ts';
import { NoHttpError } from '../wire/raw-answers.ts';
import type { Secrets } from '../wire/secrets.ts';

/** The result of one rule. */
export type Verdict =
	| { readonly kind: 'passed' }
	| {
			readonly kind: 'failed';
			/** What was checked. */
			readonly what: string;
			readonly expected: string;
			readonly actual: string;
	  }
	| { readonly kind: 'not_testable'; readonly reason: string };

export const STOPPED: Verdict = { kind: 'not_testable', reason: 'the run was stopped earlier' };

/** Every error in a check becomes a verdict, so that the report is never lost. */
export function verdictOf(error: unknown): Verdict {
	if (error instanceof NotTestable) return { kind: 'not_testable', reason: error.message };
	if (error instanceof Interrupted) return STOPPED;
	if (error instanceof RuleFailure) {
		return { kind: 'failed', what: error.message, expected: error.expected, actual: error.actual };
	}
	if (error instanceof CallError || error instanceof NoHttpError) {
		return { kind: 'failed', what: 'a call', expected: 'an answer', actual: error.message };
	}
	// Either a bug of the rule, or an answer that the rule does not expect.
	return { kind: 'failed', what: 'the check itself', expected: 'to finish', actual: String(error) };
}

const LONGEST_SHOWN = 400;

/**
 * The text without secrets and without characters that could steer a terminal or that XML cannot carry. Redacts before
 * it shortens, because half a secret would not be recognised.
 */
export function safeText(text: string, secrets: Secrets): string {
	const whole = visible(secrets.redact(text)).replace(/[\ufffe\uffff]/g, '\ufffd');
	return whole.length > LONGEST_SHOWN ? `${whole.slice(0, LONGEST_SHOWN)}...` : whole;
}

/** The verdict with safe texts only. */
export function safeVerdict(verdict: Verdict, secrets: Secrets): Verdict {
	const safe = (text: string) => safeText(text, secrets);
	switch (verdict.kind) {
		case 'passed':
			return verdict;
		case 'not_testable':
			return { ...verdict, reason: safe(verdict.reason) };
		case 'failed':
			return { ...verdict, what: safe(verdict.what), expected: safe(verdict.expected), actual: safe(verdict.actual) };
	}
}
