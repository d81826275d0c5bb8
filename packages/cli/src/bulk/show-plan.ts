import { printTable, say, usd } from '@bursar/terminal';
import { printJson } from '../output/json.ts';
import { type Change, contentFields } from './changes.ts';
import type { InputLine } from './input/read-input.ts';
import { standingOf } from './journal/line-history.ts';
import type { Plan } from './plan.ts';

const WORDS = { send: 'to send', look: 'to look for' } as const;

/** Shows what a run would do and what it would cost. Sends and writes nothing. */
export function showPlan(plan: Plan): void {
	const { change, options, input, path, found, pending, history } = plan;
	const steps = pending.map((line): PlannedStep => {
		return { input: line, step: standingOf(history(line.line), undefined) === 'to_look_for' ? 'look' : 'send' };
	});
	const { send = [], look = [] } = Object.groupBy(steps, ({ step }) => step);
	const done = input.lines.filter(({ line }) => history(line).state === 'done').length;
	const never = input.lines.length - done - steps.length;
	if (options.json) {
		for (const row of steps) printJson(rowFields(row, change), true);
		const counts = {
			lines: input.lines.length,
			send: send.length,
			look: look.length,
			done_before: done,
			never_again: never,
		};
		say(JSON.stringify({ dry_run: { ...counts, spends_max_cents: change.maxSpendCents(pending) } }));
		return;
	}
	if (steps.length > 0) printSteps(steps, change.hasAmounts || change.hasTerms === true);
	const counts = [
		send.length > 0 && `${send.length} ${WORDS.send}`,
		look.length > 0 && `${look.length} ${WORDS.look}`,
		done > 0 && `${done} done before`,
		never > 0 && `${never} never sent again`,
	];
	say(`dry run, nothing was sent: ${counts.filter(Boolean).join(', ')}`);
	if (pending.length > 0) say(`it would ${change.describe(pending)}`);
	if (found) say(`journal: ${path}`);
}

interface PlannedStep {
	readonly input: InputLine;
	/** `look`: it was sent before, and is first looked for by its id. */
	readonly step: 'send' | 'look';
}

function rowFields({ input: { line, ...content }, step }: PlannedStep, change: Change) {
	return { line, ...contentFields(content, change), ...termsFields(content), step };
}

/** What a new sub-user would have. */
function termsFields({ terms }: Omit<InputLine, 'line'>) {
	if (!terms) return {};
	const { amountCents, ...others } = terms;
	return { amount_usd_cents: amountCents, ...others };
}

function printSteps(steps: readonly PlannedStep[], hasAmounts: boolean): void {
	const amounts = hasAmounts ? [{ title: 'AMOUNT USD', isNumber: true }] : [];
	printTable(
		[{ title: 'LINE', isNumber: true }, { title: 'USERNAME' }, { title: 'STEP' }, ...amounts],
		steps.map(({ input, step }) => [
			String(input.line),
			input.username,
			WORDS[step],
			...(hasAmounts ? [usd(input.terms?.amountCents ?? input.amountCents)] : []),
		]),
	);
}
