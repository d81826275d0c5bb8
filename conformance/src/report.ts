import type { Secrets } from './secrets.ts';
import type { SpendingCounts } from './spending.ts';
import type { LeftBehind } from './sub-users.ts';

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

export interface RuleResult {
	readonly name: string;
	readonly guarantee: string;
	readonly source: string;
	readonly durationMs: number;
	readonly verdict: Verdict;
}

/** The result of a run. It contains no secrets. */
export interface Report {
	readonly url: string;
	readonly startedAtMs: number;
	readonly results: readonly RuleResult[];
	readonly counts: VerdictCounts;
	readonly spending: SpendingReport;
	/** Whether a signal stopped the run before the last rule. */
	readonly isInterrupted: boolean;
	/** Whether the run ended early because the service stopped answering. */
	readonly isUnanswered: boolean;
}

export interface VerdictCounts {
	readonly passed: number;
	readonly failed: number;
	readonly notTestable: number;
}

export interface SpendingReport extends SpendingCounts {
	/** The highest possible cost in cents, and not more than the resellers had. */
	readonly mostCents: number;
	readonly accounts: readonly AccountReport[];
	/** The names of the sub-users of the run begin with this, except one. */
	readonly prefix: string;
	/** Sub-users that still hold balance. */
	readonly leftBehind: readonly LeftBehind[];
}

export interface AccountReport {
	readonly reseller: string;
	readonly beforeCents: number;
	/** `undefined` if it could not be read. */
	readonly afterCents: number | undefined;
}

export function countVerdicts(results: readonly RuleResult[]): VerdictCounts {
	const count = (kind: Verdict['kind']) => results.filter(({ verdict }) => verdict.kind === kind).length;
	return { passed: count('passed'), failed: count('failed'), notTestable: count('not_testable') };
}

const LONGEST_SHOWN = 400;

/** The text without secrets. Redacts before it shortens, because half a secret would not be recognised. */
export function safeText(text: string, secrets: Secrets): string {
	const whole = secrets.redact(text);
	return whole.length > LONGEST_SHOWN ? `${whole.slice(0, LONGEST_SHOWN)}...` : whole;
}

/** The verdict without secrets. */
export function redactVerdict(verdict: Verdict, secrets: Secrets): Verdict {
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
