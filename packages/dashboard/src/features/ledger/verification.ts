import type { LedgerVerification } from '@bursar/contract/dashboard';
import { KNOWN_PROBLEMS, ledgerTexts } from './texts.ts';

/** How much of a verification is done, in whole percent. It is 100 only when it has ended. */
export function percentDone({ done, of }: { readonly done: number; readonly of: number }): number {
	return of <= 0 ? 0 : Math.min(99, Math.max(0, Math.floor((100 * done) / of)));
}

/** How long something took, like `12 seconds`. */
export function durationText(started: string, ended: string): string {
	const seconds = Math.round((Date.parse(ended) - Date.parse(started)) / 1000);
	if (seconds < 1) return ledgerTexts.lessThanSecond;
	return seconds < 120 ? ledgerTexts.seconds(seconds) : ledgerTexts.minutes(Math.round(seconds / 60));
}

type Problem = NonNullable<LedgerVerification['result']>['first_problems'][number];

interface ProblemGroup {
	readonly problem: string;
	readonly title: string;
	/** Accounts, resellers or people that have it. */
	readonly names: readonly string[];
	readonly means: string;
	readonly todo: string;
}

/** Problems of one kind together, with what they mean and what to do. */
export function groupedProblems(problems: readonly Problem[]): readonly ProblemGroup[] {
	const groups = Map.groupBy(problems, ({ problem }) => problem);
	return [...groups].map(([problem, of]) => ({ problem, ...problemTexts(problem), names: of.map(({ name }) => name) }));
}

function problemTexts(problem: string) {
	const sentence = problem.charAt(0).toUpperCase() + problem.slice(1);
	const known = KNOWN_PROBLEM_KEYS.find((key) => sentence.startsWith(KNOWN_PROBLEMS[key].title));
	if (known === undefined) return { ...ledgerTexts.unknownProblem, title: sentence };
	const { title, means, todo } = ledgerTexts.knownProblems[known];
	// Some say behind a colon what they found.
	return { means, todo, title: title + sentence.slice(KNOWN_PROBLEMS[known].title.length) };
}

const KNOWN_PROBLEM_KEYS = Object.keys(KNOWN_PROBLEMS) as readonly (keyof typeof KNOWN_PROBLEMS)[];
