import { REQUEST_EXPIRES_HEADER, REQUEST_ID_HEADER } from '@bursar/contract';
import type { Answer } from './answer.ts';

/** A rule that holds for every single answer of the service. */
export interface AnswerRule {
	/** Without its group. */
	readonly name: string;
	readonly guarantee: string;
	readonly source: string;
	/** What was expected instead, where the answer breaks the rule. */
	violation(answer: Answer, seen: Seen): Violation | undefined;
}

interface Violation {
	readonly expected: string;
	readonly actual: string;
}

/** What is known beside the answer. */
interface Seen {
	/** Unix milliseconds, by the clock of this machine. */
	readonly nowMs: number;
	/** The request ids of the answers before. */
	readonly requestIds: ReadonlySet<string>;
	/** The tokens that were given to the suite. */
	readonly tokens: readonly string[];
	/** Whether the first answer carried `X-Request-Expires`: then all have to. */
	readonly isExpiryOffered: boolean;
}

/** Looks at every answer of a run. */
export interface AnswerWatch {
	see(answer: Answer): void;
	/** The first answer that broke the rule of that name, and how many did. */
	firstViolation(name: string): (Violation & { readonly asked: string; readonly count: number }) | undefined;
}

/** `tokens` are those that were given to the suite. */
export function createWatch(rules: readonly AnswerRule[], tokens: readonly string[]): AnswerWatch {
	const found = new Map<string, Violation & { asked: string; count: number }>();
	const requestIds = new Set<string>();
	let isExpiryOffered: boolean | undefined;
	return {
		see(answer) {
			isExpiryOffered ??= answer.headers.has(REQUEST_EXPIRES_HEADER);
			const seen: Seen = { nowMs: Date.now(), requestIds, tokens, isExpiryOffered };
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
