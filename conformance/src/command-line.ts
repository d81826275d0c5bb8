import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import {
	CommandError,
	exitCodes,
	guardOutput,
	onSignals,
	printError,
	say,
	signalExitCodes,
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

/** Runs the suite, and gives the exit code: 0 no rule failed, 1 some did or none could be tested, 2 used wrongly. */
export async function conformance(argv: readonly string[]): Promise<number> {
	// The run goes on whatever becomes of its output: balance has to be taken back.
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
		.option('--second-token-file <file>', 'file with the token of another reseller, for the rules between resellers')
		.option('--second-token <token>', 'that token itself')
		.option('--max-spend-cents <cents>', 'the most that may be spent on fees', String(DEFAULT_MAX_SPEND_CENTS))
		.option('--only <rule...>', 'test these rules or groups only')
		.option('--except <rule...>', 'leave these rules or groups out')
		.option('--lenient', 'the service runs with BURSAR_LENIENT=1')
		.option('--behind-proxy', 'what stands in front answers by itself what is no good HTTP: leave that out')
		.option('--slow', 'also test what takes a minute or more')
		.option('--junit <file>', 'write the report as JUnit XML too')
		.option('--json', 'print the report as one JSON object')
		.option('--list', 'print the rules, and test nothing')
		.helpOption('-h, --help', 'print this help')
		.allowExcessArguments(false)
		.exitOverride()
		.configureOutput({ outputError: () => {} })
		.addHelpText('after', EXAMPLE);
}

const EXAMPLE = `
Secrets are better given in files or in the environment: BURSAR_URL and BURSAR_TOKEN are read.
Nobody else should move money of the reseller meanwhile: fees are known by what becomes of its balance.

Example:
  $ npm run conformance -- --url http://127.0.0.1:8080 --token-file token.txt
`;

async function run(options: RawOptions): Promise<number> {
	const maxSpendCents = readMaxSpend(options.maxSpendCents ?? '');
	const rules = chooseRules(allRules, options);
	if (options.list) {
		process.stdout.write(listText(planRules(rules, maxSpendCents)));
		return exitCodes.done;
	}
	const target = readTarget(options, process.env);
	// Before anything is spent: a report that cannot be written would be lost.
	if (options.junit !== undefined) tryJunit(options.junit);
	const paint = process.stdout.isTTY && !process.env.NO_COLOR ? terminalPaint : noPaint;
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
			if (!options.json) process.stdout.write(resultText(result, paint));
		},
	});
	printReport(report, options, paint);
	return exitCode() ?? (report.counts.failed > 0 || report.isUnanswered ? exitCodes.failed : exitCodes.done);
}

function printReport(report: Report, { json, junit }: RawOptions, paint: Paint): void {
	process.stdout.write(json ? `${JSON.stringify(report)}\n` : summaryText(report, paint));
	if (junit !== undefined) writeJunit(junit, junitReport(report));
}

/** Leaves the file as it was: until there is a report, that of the last run stays. */
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
		throw new UsageError(`the file of --junit cannot be written (${(error as NodeJS.ErrnoException).code})`);
	}
}

/** The first signal ends the run in order: balance is taken back. Another one ends it at once, whatever is left. */
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
