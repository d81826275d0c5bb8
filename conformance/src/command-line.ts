import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import {
	CommandError,
	exitCodes,
	guardOutput,
	onSignals,
	printError,
	say,
	signalExitCodes,
	standardOutput,
	UsageError,
	usageWords,
} from '@bursar/terminal';
import { Command, CommanderError } from 'commander';
import { chooseRules, type RawOptions, readMaxSpend, readTarget } from './options.ts';
import { planRules } from './plan.ts';
import type { Report } from './report.ts';
import { junitReport } from './report-junit.ts';
import { listText, noPaint, type Paint, resultText, summaryText, terminalPaint } from './report-text.ts';
import { allRules } from './rules/all.ts';
import { runRules } from './run.ts';

const DEFAULT_MAX_SPEND_CENTS = 2000;

/** Runs the suite and gives the exit code: 0 if no rule failed, 1 if one failed or none could be tested, 2 for wrong usage. */
export async function conformance(argv: readonly string[]): Promise<number> {
	// The run goes on even if its output is lost, because it must take balance back.
	guardOutput(() => {});
	try {
		const command = createCommand().parse(argv);
		return await run(command.opts<RawOptions>());
	} catch (error) {
		if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
		const failure = error instanceof CommanderError ? new UsageError(`${usageWords(error)} (see --help)`) : error;
		if (!(failure instanceof CommandError)) throw error;
		printError('conformance', failure, false);
		return failure.exitCode;
	}
}

function createCommand(): Command {
	return new Command('conformance')
		.description('Tests a running service against the rules of the reseller API.')
		.option('--url <address>', 'base address of the service (or BURSAR_URL)')
		.option('--token-file <file>', "file with the reseller's token (or BURSAR_TOKEN)")
		.option('--token <token>', 'the token itself; other users of this machine can see it in the list of processes')
		.option('--second-token-file <file>', "file with another reseller's token, for the rules about two resellers")
		.option('--second-token <token>', "the other reseller's token itself")
		.option('--max-spend-cents <cents>', 'the most to spend on fees', String(DEFAULT_MAX_SPEND_CENTS))
		.option('--only <rule...>', 'test only these rules or groups')
		.option('--except <rule...>', 'leave these rules or groups out')
		.option('--lenient', 'the service runs with BURSAR_LENIENT=1')
		.option('--behind-proxy', 'skip rules about invalid HTTP, which a proxy in front of the service answers itself')
		.option('--slow', 'also test rules that take a minute or more')
		.option('--junit <file>', 'also write the report as JUnit XML')
		.option('--json', 'print the report as one JSON object')
		.option('--list', 'print the rules and test nothing')
		.helpOption('-h, --help', 'print this help')
		.allowExcessArguments(false)
		.exitOverride()
		.configureOutput({ outputError: () => {} })
		.addHelpText('after', EXAMPLE);
}

const EXAMPLE = `
Give secrets in files or in the environment: the command reads BURSAR_URL and BURSAR_TOKEN.
Nothing else may move the reseller's money during the run: the suite measures fees by the reseller's balance.

Example:
  $ npm run conformance -- --url http://127.0.0.1:8080 --token-file token.txt
`;

async function run(options: RawOptions): Promise<number> {
	const maxSpendCents = readMaxSpend(options.maxSpendCents ?? '');
	const rules = chooseRules(allRules, options);
	if (options.list) {
		standardOutput().write(listText(planRules(rules, maxSpendCents)));
		return exitCodes.done;
	}
	const target = readTarget(options, process.env);
	// Fails before anything is spent if the report cannot be written.
	if (options.junit !== undefined) tryJunit(options.junit);
	const paint = standardOutput().isTTY && !process.env.NO_COLOR ? terminalPaint : noPaint;
	const { exitCode, ...signals } = stopOnSignals();
	const report = await runRules({
		...target,
		rules,
		maxSpendCents,
		...signals,
		isDirect: !options.behindProxy,
		isPatient: options.slow ?? false,
		say,
		onResult(result) {
			if (!options.json) standardOutput().write(resultText(result, paint));
		},
	});
	printReport(report, options, paint);
	return exitCode() ?? (report.counts.failed > 0 || report.isUnanswered ? exitCodes.failed : exitCodes.done);
}

function printReport(report: Report, { json, junit }: RawOptions, paint: Paint): void {
	standardOutput().write(json ? `${JSON.stringify(report)}\n` : summaryText(report, paint));
	if (junit !== undefined) writeJunit(junit, junitReport(report));
}

/** Leaves the file unchanged, so that the report of the previous run stays until the new one is ready. */
function tryJunit(file: string): void {
	onJunit(() => {
		const isThere = existsSync(file);
		closeSync(openSync(file, 'a'));
		if (!isThere) rmSync(file);
	});
}

function writeJunit(file: string, text: string): void {
	onJunit(() => writeFileSync(file, text));
}

function onJunit(work: () => void): void {
	try {
		work();
	} catch (error) {
		throw new UsageError(`the file in --junit cannot be written (${(error as NodeJS.ErrnoException).code})`);
	}
}

/** The first signal ends the run and takes balance back. The second signal ends it at once. */
function stopOnSignals() {
	const stopping = new AbortController();
	const abandoning = new AbortController();
	let exitCode: number | undefined;
	onSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) => {
		exitCode ??= signalExitCodes[signal];
		if (stopping.signal.aborted) abandoning.abort();
		stopping.abort();
	});
	return { stop: stopping.signal, abandon: abandoning.signal, exitCode: () => exitCode };
}
