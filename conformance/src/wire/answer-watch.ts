import { CHANGE_ID_HEADER, REQUEST_EXPIRES_HEADER, REQUEST_ID_HEADER } from '@bursar/contract';
import type { Answer, Basis } from './answer.ts';

/** A rule that holds for each single answer of the service. */
export interface AnswerRule {
	/** Without the name of its group. */
	readonly name: string;
	readonly basis: Basis;
	readonly guarantee: string;
	readonly source: string;
	/** What the answer should have been, if it breaks the rule. */
	violation(answer: Answer, seen: Seen): Violation | undefined;
}

interface Violation {
	readonly expected: string;
	readonly actual: string;
}

/** What else is known when an answer arrives. */
interface Seen {
	/** Unix milliseconds, by the clock of this machine. */
	readonly nowMs: number;
	/** The clock of the service minus that of this machine, in seconds, by the first answer with a timestamp. */
	readonly clockDifferenceS: number;
	/** The request ids of all previous answers. */
	readonly requestIds: ReadonlySet<string>;
	/** The tokens that the suite uses. */
	readonly tokens: readonly string[];
	/** Whether the first answer had `X-Request-Expires`. Then all answers must have it. */
	readonly isExpiryOffered: boolean;
	/** The same for `X-Change-Id`. */
	readonly isChangeIdOffered: boolean;
}

/** Checks every answer of a run. */
export interface AnswerWatch {
	see(answer: Answer): void;
	/** The first answer that broke the named rule, and how many answers did. */
	firstViolation(name: string): (Violation & { readonly asked: string; readonly count: number }) | undefined;
}

export function createWatch(rules: readonly AnswerRule[], tokens: readonly string[]): AnswerWatch {
	const found = new Map<string, Violation & { asked: string; count: number }>();
	const requestIds = new Set<string>();
	let isExpiryOffered: boolean | undefined;
	let isChangeIdOffered: boolean | undefined;
	let clockDifferenceS: number | undefined;
	return {
		see(answer) {
			isExpiryOffered ??= answer.headers.has(REQUEST_EXPIRES_HEADER);
			isChangeIdOffered ??= answer.headers.has(CHANGE_ID_HEADER);
			const nowMs = Date.now();
			const timestamp = answer.envelope?.timestamp;
			if (typeof timestamp === 'number') clockDifferenceS ??= timestamp - nowMs / 1000;
			const offered = { isExpiryOffered, isChangeIdOffered };
			const seen: Seen = { nowMs, clockDifferenceS: clockDifferenceS ?? 0, requestIds, tokens, ...offered };
			for (const rule of rules) {
				const violation = rule.violation(answer, seen);
				if (!violation) continue;
				const earlier = found.get(rule.name);
				if (earlier) earlier.count++;
				else found.set(rule.name, { ...violation, asked: answer.asked, count: 1 });
			}
			const requestId = answer.headers.get(REQUEST_ID_HEADER);
			if (requestId !== null) requestIds.add(requestId);
		},
		firstViolation: (name) => found.get(name),
	};
}
