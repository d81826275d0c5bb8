import { CREATE_FEE_CENTS } from '@bursar/contract';
import { visible } from '@bursar/terminal';
import type { PlannedRule } from './plan.ts';
import type { Report, RuleResult, SpendingReport } from './report.ts';

/** Colours a part of a line. */
export type Paint = (colour: 'green' | 'red' | 'yellow', text: string) => string;

const CODES = { green: 32, red: 31, yellow: 33 } as const;

export const noPaint: Paint = (_colour, text) => text;
export const terminalPaint: Paint = (colour, text) => `\u001b[${CODES[colour]}m${text}\u001b[0m`;

const VERDICT_WIDTH = 'not testable'.length;

/** One line for a rule, and below it the details of a failure. */
export function resultText({ name, guarantee, source, verdict }: RuleResult, paint: Paint): string {
	switch (verdict.kind) {
		case 'passed':
			return `${paint('green', 'passed'.padEnd(VERDICT_WIDTH))}  ${name}\n`;
		case 'not_testable':
			return `${paint('yellow', 'not testable')}  ${name}: ${visible(verdict.reason)}\n`;
		case 'failed': {
			const below = {
				rule: guarantee,
				from: source,
				at: verdict.what,
				expected: verdict.expected,
				actual: verdict.actual,
			};
			const lines = Object.entries(below).map(
				([what, text]) => `${' '.repeat(VERDICT_WIDTH)}    ${what.padEnd(8)}  ${visible(text)}`,
			);
			return `${paint('red', 'FAILED'.padEnd(VERDICT_WIDTH))}  ${name}\n${lines.join('\n')}\n`;
		}
	}
}

/** The text after the rules: the counts and the spending. */
export function summaryText({ counts, spending, isInterrupted, isUnanswered }: Report, paint: Paint): string {
	const { passed, failed, notTestable } = counts;
	const failures = `${failed} failed`;
	return [
		'',
		`${passed} passed, ${failed > 0 ? paint('red', failures) : failures}, ${notTestable} not testable`,
		...(isInterrupted ? ['The run was stopped early.'] : []),
		...(isUnanswered ? ['The service stopped answering, so the other rules were not tested.'] : []),
		'',
		...spendingLines(spending),
		'',
	].join('\n');
}

function spendingLines({ creates, charged, feesCents, mostCents, accounts, prefix, leftBehind }: SpendingReport) {
	const spentCents = accounts.reduce(
		(sum, { beforeCents, afterCents = Number.NaN }) => sum + beforeCents - afterCents,
		0,
	);
	const otherCents = spentCents - feesCents;
	const isLast = (place: number) => place === accounts.length - 1;
	return [
		`fees      ${charged} of ${creates} calls of create cost ${CREATE_FEE_CENTS} cents each: ${feesCents} cents (at most ${mostCents})`,
		...accounts.map(({ reseller, beforeCents, afterCents }, place) => {
			const unexplained = isLast(place) && otherCents !== 0 ? unexplainedText(otherCents) : '';
			return `balance   ${visible(reseller)}: ${beforeCents} cents before, ${afterCents ?? 'unknown'} after${unexplained}`;
		}),
		`made      sub-users whose names begin with ${prefix}, and one named by the last 4 characters of it`,
		leftBehind.length === 0
			? 'left      nothing: all balance was taken back'
			: 'left      balance that was not taken back:',
		...leftBehind.map(({ username, balanceCents }) => {
			return `          ${username}: ${balanceCents === undefined ? 'unknown' : `${balanceCents} cents`}`;
		}),
	];
}

/** Another client moved money during the run, or the service charged a wrong fee. */
function unexplainedText(cents: number): string {
	if (Number.isNaN(cents)) return '';
	return `; it fell by ${Math.abs(cents)} cents ${cents > 0 ? 'more' : 'less'} than the fees`;
}

/** The rules with their sources, costs and needs. */
export function listText(plan: readonly PlannedRule[]): string {
	return plan
		.map(({ rule: { name, guarantee, source, needs = [], creates = 0, mode } }) => {
			const costs = creates > 0 ? [`costs up to ${creates * CREATE_FEE_CENTS} cents`] : [];
			const remarks = [source, ...costs, ...(needs.length > 0 ? [`needs ${needs.join(', ')}`] : [])];
			return `${name}${mode === undefined ? '' : ` (${mode})`}\n    ${guarantee}\n    ${remarks.join('; ')}\n`;
		})
		.join('');
}
