import { say, UsageError, usd, withProgress } from '@bursar/terminal';
import { askIfTerminal, askToDelete, askToSpend, requireYesOrTerminal } from '../consent.ts';
import type { GlobalOptions } from '../global-options.ts';
import { refuseAsOutput } from '../output/refuse-as-output.ts';
import { counted } from '../output/units.ts';
import { openSession } from '../session.ts';
import { type BulkOptions, DEFAULT_CONCURRENCY } from './bulk-options.ts';
import type { Change } from './changes.ts';
import { realPath } from './files/real-path.ts';
import { type InputLine, readInput } from './input/read-input.ts';
import { refuseOtherReseller } from './journal/find-journal.ts';
import { JOURNAL_VERSION } from './journal/journal-file.ts';
import { isPending } from './journal/line-history.ts';
import { lockJournal } from './journal/lock-journal.ts';
import { type Journal, journalInMemory, openJournal } from './journal/open-journal.ts';
import { type BulkWork, makePlan, type Plan } from './plan.ts';
import { writeRemaining } from './remaining/write-remaining.ts';
import type { LineResult } from './run/record-outcome.ts';
import { type Ending, reportEnding } from './run/report-ending.ts';
import { resultPrinter } from './run/result-printer.ts';
import { runLines } from './run/run-lines.ts';
import { showPlan } from './show-plan.ts';

/** Runs the bulk form of a command, from the start or from where an earlier run stopped. */
export async function runBulkCommand(change: Change, options: GlobalOptions & BulkOptions): Promise<void> {
	const file = options.all ?? '';
	const input = readInput(file, change);
	if (input.headingLine !== undefined) sayHeading(`${file}:${input.headingLine}`, options);
	if (change.hasAmounts) sayDoubles(input.lines, options);
	const session = openSession(options);
	if (change.isSetting) return runWithoutJournal({ change, options, session, input, path: undefined });
	const own = realPath(`${realPath(file)}.journal`);
	const path = realPath(options.journal ?? own);
	refuseAsOutput([file, path]);
	const work = { change, options, session, input, path };
	if (options.dryRun) return showPlan(makePlan(work));
	const release = lockJournal(path);
	try {
		// Another run of the same file may use the journal beside it, which it writes only once it may spend.
		const releaseOwn = path === own ? undefined : lockIfPossible(own);
		try {
			if (options.left === undefined) await runPlan(makePlan(work));
			else await writeRemaining(work, options.left);
		} finally {
			if (releaseOwn) releaseOrSay(releaseOwn, own, options);
		}
	} finally {
		releaseOrSay(release, path, options);
	}
}

/** Every run does all lines: what another run or person has set since would otherwise count as done. */
async function runWithoutJournal(work: BulkWork): Promise<void> {
	refuseAsOutput([work.options.all ?? '']);
	const plan = makePlan(work);
	if (work.options.dryRun) showPlan(plan);
	else await runPlan(plan);
}

/** Returns `undefined` if no run can have a journal there, because its folder cannot be written. */
function lockIfPossible(journal: string): (() => void) | undefined {
	try {
		return lockJournal(journal);
	} catch (error) {
		if (error instanceof UsageError) throw error;
		return undefined;
	}
}

/** A lock that stays must not hide how the run ended. */
function releaseOrSay(release: () => void, path: string, { json }: GlobalOptions): void {
	try {
		release();
	} catch (cause) {
		const warning = `the lock ${path}.lock could not be removed: ${(cause as Error).message}`;
		say(json ? JSON.stringify({ warning }) : warning);
	}
}

function sayHeading(position: string, { json }: GlobalOptions): void {
	const text = `${position}: this line is a heading and is skipped`;
	say(json ? JSON.stringify({ heading: { place: position } }) : text);
}

const MOST_DOUBLES_SHOWN = 5;

/** Two transfers to one username may be meant, or a mistake. */
function sayDoubles(lines: readonly InputLine[], { json }: GlobalOptions): void {
	const doubles = [...Map.groupBy(lines, ({ username }) => username)].filter(([, same]) => same.length > 1);
	if (doubles.length === 0) return;
	const shown = doubles.slice(0, MOST_DOUBLES_SHOWN).map(([username, same]) => `${username} (lines ${linesOf(same)})`);
	const more = doubles.length > MOST_DOUBLES_SHOWN ? ', ...' : '';
	const warning = `careful: ${counted(doubles.length, 'username')} on several lines, and each line counts: ${shown.join(', ')}${more}`;
	say(json ? JSON.stringify({ warning }) : warning);
}

function linesOf(same: readonly InputLine[]): string {
	const numbers = same.slice(0, MOST_DOUBLES_SHOWN).map(({ line }) => line);
	return `${numbers.join(', ')}${same.length > MOST_DOUBLES_SHOWN ? ', ...' : ''}`;
}

async function runPlan(plan: Plan): Promise<void> {
	const { change, options, session, path, found } = plan;
	if (plan.pending.length === 0) return reportEnding(endingOf(plan));
	if (change.maxSpendCents(plan.pending) > 0) requireYesOrTerminal(options);
	const reseller = await session.client.account.retrieve({ signal: session.interrupts.stop });
	if (path !== undefined) refuseOtherReseller(path, found, reseller.username);
	const remembered = withoutForgotten(plan);
	if (remembered.pending.length === 0) return reportEnding(endingOf(plan));
	await askFor(remembered, reseller.balanceCents);
	const journal = path === undefined ? journalInMemory() : await open(plan, path, reseller.username);
	const results = new Map<number, LineResult>();
	try {
		const stoppedBy = await runWithProgress(remembered, journal, results);
		reportEnding({ ...endingOf(plan), history: journal.history, results, stoppedBy });
	} finally {
		// Its entries are on disk already.
		await journal.close().catch(() => {});
	}
}

/** How the bulk form ends if no line is begun. */
function endingOf({ change, options, session, input, path, histories, history }: Plan): Ending {
	const serviceTime = session.client.serviceTime();
	return { change, options, lines: input.lines, path, before: histories, history, results: new Map(), serviceTime };
}

/** Without the lines in doubt that are so old, by the service's clock, that it may have forgotten them. */
function withoutForgotten(plan: Plan): Plan {
	const serviceTime = plan.session.client.serviceTime();
	return { ...plan, pending: plan.pending.filter(({ line }) => isPending(plan.history(line), serviceTime)) };
}

function open({ change, session, input, found }: Plan, path: string, reseller: string): Promise<Journal> {
	const header = found?.header ?? {
		version: JOURNAL_VERSION,
		operation: change.operation,
		url: session.url,
		reseller,
		input_sha256: input.sha256,
		began: new Date().toISOString(),
	};
	return openJournal(path, header, found);
}

async function askFor({ change, options, session, pending }: Plan, balanceCents: number): Promise<void> {
	const words = change.describe(pending);
	const doThis = `${words[0]?.toUpperCase()}${words.slice(1)}`;
	const { stop } = session.interrupts;
	if (change.warning !== undefined) {
		const ask = change.operation === 'delete' ? askToDelete : askIfTerminal;
		return ask(`${doThis}? ${change.warning}`, options, stop);
	}
	const cents = change.maxSpendCents(pending);
	if (cents === 0) return;
	const suffices = cents <= balanceCents ? '' : ', which is not enough';
	await askToSpend(`${doThis} of your balance of ${usd(balanceCents)} USD${suffices}?`, options, stop);
}

function runWithProgress(plan: Plan, journal: Journal, results: Map<number, LineResult>) {
	const { change, options, session, input, pending } = plan;
	const { lines } = input;
	const { client, interrupts, patience } = session;
	const total = pending.length.toLocaleString('en');
	return withProgress(change.activity, async (progress) => {
		const print = await resultPrinter(change, lines, options.json, progress);
		interrupts.stop.addEventListener('abort', () => {
			if (!options.json) progress.say('stopping: waiting for the lines in progress; interrupt again to abandon them');
		});
		return runLines({
			change,
			client,
			lines,
			journal,
			concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
			interrupts,
			patience,
			async printResult(result) {
				results.set(result.input.line, result);
				await print(result);
				progress.update(`${change.activity}: ${results.size.toLocaleString('en')} of ${total}`);
			},
		});
	});
}
