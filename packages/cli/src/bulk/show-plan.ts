import { printTable, say, usd } from '@bursar/terminal';
import { printJson } from '../output/json.ts';
import type { InputLine } from './input/read-input.ts';
import { delaysLaterLines, nextStep } from './journal/line-history.ts';
import type { Plan } from './plan.ts';

/**
 * What a run would do with a line.
 * - `send`: send its request.
 * - `look`: look first whether an earlier request took effect.
 * - `wait`: wait for another line of its username whose outcome is unknown.
 */
type Step = (typeof STEPS)[number];

const STEPS = ['send', 'look', 'wait'] as const;

const WORDS: Readonly<Record<Step, string>> = { send: 'to send', look: 'to look for', wait: 'has to wait' };

/** Shows what a run would do and what it would cost. Sends and writes nothing. */
export function showPlan(plan: Plan): void {
	const { change, options, input, path, found, history } = plan;
	const steps = stepsOf(plan);
	const byStep = Object.groupBy(steps, ({ step }) => step);
	const sent = steps.filter(({ step }) => step !== 'wait').map((row) => row.input);
	const done = input.lines.filter(({ line }) => history(line).state === 'done').length;
	const never = input.lines.length - done - steps.length;
	if (options.json) {
		for (const row of steps) printJson(rowFields(row, change.hasAmounts), true);
		const counts = {
			lines: input.lines.length,
			send: byStep.send?.length ?? 0,
			look: byStep.look?.length ?? 0,
			wait: byStep.wait?.length ?? 0,
			done_before: done,
			never_again: never,
		};
		say(JSON.stringify({ dry_run: { ...counts, spends_max_cents: change.maxSpendCents(sent) } }));
		return;
	}
	if (steps.length > 0) printSteps(steps, change.hasAmounts);
	const counts = [
		...STEPS.map((step) => byStep[step] && `${byStep[step].length} ${WORDS[step]}`),
		done > 0 && `${done} done before`,
		never > 0 && `${never} never sent again`,
	];
	say(`dry run, nothing was sent: ${counts.filter(Boolean).join(', ')}`);
	if (sent.length > 0) say(`it would ${change.describe(sent)}`);
	if (found) say(`journal: ${path}`);
}

interface PlannedStep {
	readonly input: InputLine;
	readonly step: Step;
}

function stepsOf({ change, session, input, pending, history }: Plan): PlannedStep[] {
	const stepOf = ({ line }: InputLine) => nextStep(history(line), change.operation, session.isSoleWriter);
	const undecided = input.lines.filter((line) => delaysLaterLines(history(line.line)) && stepOf(line) === 'nothing');
	const waiting = new Set(undecided.map(({ username }) => username));
	return pending.map((line) => ({
		input: line,
		step: waiting.has(line.username) ? 'wait' : stepOf(line) === 'look' ? 'look' : 'send',
	}));
}

function rowFields({ input: { line, username, amountCents }, step }: PlannedStep, hasAmounts: boolean) {
	return { line, username, ...(hasAmounts && { amount_usd_cents: amountCents }), step };
}

function printSteps(steps: readonly PlannedStep[], hasAmounts: boolean): void {
	const amounts = hasAmounts ? [{ title: 'AMOUNT USD', isNumber: true }] : [];
	printTable(
		[{ title: 'LINE', isNumber: true }, { title: 'USERNAME' }, { title: 'STEP' }, ...amounts],
		steps.map(({ input, step }) => [
			String(input.line),
			input.username,
			WORDS[step],
			...(hasAmounts ? [usd(input.amountCents)] : []),
		]),
	);
}
