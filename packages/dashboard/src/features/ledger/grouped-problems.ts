import type { LedgerVerification } from '@bursar/contract/dashboard';
import { ledgerTexts } from './texts.ts';

type Problem = NonNullable<LedgerVerification['result']>['first_problems'][number];

export interface ProblemGroup {
	readonly problem: string;
	/** Accounts, resellers or people that have it. */
	readonly names: readonly string[];
	readonly means: string;
	readonly todo: string;
}

/** Problems of one kind together, with what they mean and what to do. */
export function groupedProblems(problems: readonly Problem[]): readonly ProblemGroup[] {
	const groups = Map.groupBy(problems, ({ problem }) => problem);
	return [...groups].map(([problem, of]) => {
		const known = ledgerTexts.meanings.find((meaning) => problem.startsWith(meaning.problem));
		const { means, todo } = known ?? ledgerTexts.unknownProblem;
		return { problem, names: of.map(({ name }) => name), means, todo };
	});
}
