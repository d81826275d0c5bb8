import { CREATE_FEE_CENTS } from '@bursar/contract';
import { usd } from '@bursar/terminal';
import type { PlannedRule } from './run/plan.ts';
import type { Rule } from './run/rule.ts';
import type { Outcome } from './run/run.ts';
import type { Verdict } from './run/verdict.ts';

/** What a failed test says. */
export function failureText(
	{ basis, guarantee, source }: Rule,
	{ what, expected, actual }: Extract<Verdict, { kind: 'failed' }>,
): string {
	return [
		`expected ${expected}, got ${actual}`,
		`at:   ${what}`,
		`rule: ${guarantee}`,
		`from: ${source} (${basis})`,
	].join('\n');
}

/** What the run has cost, for people. */
export function outcomeLines(outcome: Outcome): readonly string[] {
	const { creates, charged, feesCents, mostCents, accounts, prefix, leftBehind, isInterrupted, isUnanswered } = outcome;
	return [
		...(isInterrupted ? ['The run was stopped early.'] : []),
		...(isUnanswered ? ['The service stopped answering, so the other rules were not tested.'] : []),
		`fees      ${charged} of ${creates} calls of create cost ${usd(CREATE_FEE_CENTS)} USD each: ${usd(feesCents)} USD (at most ${usd(mostCents)})`,
		...accounts.map(({ reseller, beforeCents, afterCents }) => {
			const after = afterCents === undefined ? 'unknown' : `${usd(afterCents)} USD`;
			return `balance   ${reseller}: ${usd(beforeCents)} USD before, ${after} after`;
		}),
		...unexplainedLines(outcome),
		`made      sub-users whose names begin with ${prefix}, and one named by the last 4 characters of it`,
		leftBehind.length === 0
			? 'left      nothing: all balance was taken back'
			: 'left      balance that was not taken back:',
		...leftBehind.map(({ username, balanceCents }) => {
			return `          ${username}: ${balanceCents === undefined ? 'unknown' : `${usd(balanceCents)} USD`}`;
		}),
	];
}

/** Another client moved money during the run, or the service charged a wrong fee. */
function unexplainedLines({ accounts, feesCents }: Outcome): readonly string[] {
	const spentCents = accounts.reduce((sum, { beforeCents, afterCents = Number.NaN }) => {
		return sum + beforeCents - afterCents;
	}, 0);
	const otherCents = spentCents - feesCents;
	if (Number.isNaN(otherCents) || otherCents === 0) return [];
	const comparison = otherCents > 0 ? 'more' : 'less';
	return [`          fell by ${usd(Math.abs(otherCents))} USD ${comparison} than the fees`];
}

/** The rules with their sources, costs and needs. */
export function listText(plan: readonly PlannedRule[]): string {
	return plan
		.map(({ rule: { name, basis, guarantee, source, needs = [], creates = 0, mode } }) => {
			const costs = creates > 0 ? [`costs up to ${usd(creates * CREATE_FEE_CENTS)} USD`] : [];
			const remarks = [source, ...costs, ...(needs.length > 0 ? [`needs ${needs.join(', ')}`] : [])];
			const marks = mode === undefined ? basis : `${basis}, ${mode}`;
			return `${name} (${marks})\n    ${guarantee}\n    ${remarks.join('; ')}\n`;
		})
		.join('');
}
