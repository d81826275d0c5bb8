// Declares a test of `node:test` for each rule. The options of Node choose the reporters.
import { after, before, suite, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
	ask,
	CommandError,
	exitCodes,
	guardOutput,
	isTerminal,
	onSignals,
	printError,
	say,
	signalExitCodes,
	standardOutput,
} from '@bursar/terminal';
import { readCommandLine } from './options.ts';
import { planRules } from './run/plan.ts';
import type { Rule } from './run/rule.ts';
import { openRun, type RunOptions } from './run/run.ts';
import type { Verdict } from './run/verdict.ts';
import { failureText, listText, outcomeLines } from './words.ts';

/** Enough to open a file. A reporter that cannot write its file ends the process, which must not have spent anything. */
const REPORT_OPENS_MS = 100;

try {
	await main();
} catch (error) {
	if (!(error instanceof CommandError)) throw error;
	printError('conformance', error, false);
	process.exitCode = error.exitCode;
}

async function main(): Promise<void> {
	const wanted = readCommandLine(process.argv, process.env);
	if (wanted.kind === 'help') process.exitCode = exitCodes.done;
	else if (wanted.kind === 'list') standardOutput().write(listText(planRules(wanted.rules, wanted.maxSpendCents)));
	else await declareTests(wanted.options, wanted.isConfirmed);
}

async function declareTests(
	options: Omit<RunOptions, 'stop' | 'abandon' | 'say'>,
	isConfirmed: boolean,
): Promise<void> {
	// The run goes on even if its output is lost, because it must take balance back.
	guardOutput(() => {});
	standardOutput();
	const signals = stopOnSignals();
	const run = await openRun({ ...options, ...signals, say });
	if (run.mostCents > 0 && !isConfirmed && isTerminal()) await askToSpend(signals.stop);
	before(() => setTimeout(REPORT_OPENS_MS));
	for (const [group, planned] of Map.groupBy(run.plan, ({ rule }) => groupOf(rule))) {
		suite(group, () => {
			for (const each of planned) test(each.rule.name, async (t) => report(t, each.rule, await run.test(each)));
		});
	}
	after(async () => {
		for (const line of outcomeLines(await run.end())) say(line);
	});
}

/** Without a terminal there is no question, and `--max-spend-cents` is the bound. */
async function askToSpend(stop: AbortSignal): Promise<void> {
	if (/^y(es)?$/i.test(await ask('Go on? [y/N]', stop))) return;
	throw new CommandError('declined', 'not confirmed, and nothing was spent');
}

function report(t: TestContext, rule: Rule, verdict: Verdict): void {
	if (verdict.kind === 'not_testable') t.skip(verdict.reason);
	if (verdict.kind !== 'failed') return;
	const failure = new Error(failureText(rule, verdict));
	// Reporters show the stack, which says nothing about the service.
	failure.stack = failure.message;
	throw failure;
}

function groupOf({ name }: Rule): string {
	return name.slice(0, name.indexOf('.'));
}

/** The first signal ends the run and takes balance back. The second signal ends it at once. */
function stopOnSignals(): Pick<RunOptions, 'stop' | 'abandon'> {
	const stopping = new AbortController();
	const abandoning = new AbortController();
	onSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) => {
		if (stopping.signal.aborted) abandoning.abort();
		// At the exit, because `node:test` sets a code of its own.
		else process.on('exit', () => (process.exitCode = signalExitCodes[signal]));
		stopping.abort();
	});
	return { stop: stopping.signal, abandon: abandoning.signal };
}
