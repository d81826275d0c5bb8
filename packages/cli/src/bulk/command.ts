import { say, UsageError, usd, withProgress } from '@bursar/terminal';
import { askToSpend, refuseUnasked } from '../consent.ts';
import type { GlobalOptions } from '../global-options.ts';
import { refuseAsOutput } from '../output/refuse-as-output.ts';
import { openSession } from '../session.ts';
import { type BulkOptions, DEFAULT_CONCURRENCY } from './bulk-options.ts';
import type { Change } from './changes.ts';
import { showPlan } from './dry-run.ts';
import { readInput } from './input.ts';
import { type Journal, openJournal, readHistories, refuseOtherReseller } from './journal.ts';
import { JOURNAL_VERSION } from './journal-file.ts';
import { writeLeft } from './left.ts';
import type { Row } from './line.ts';
import { lockJournal } from './lock.ts';
import { type Plan, planOf, type Work } from './plan.ts';
import { realPath } from './real-path.ts';
import { rowPrinter } from './rows.ts';
import { runBulk } from './run.ts';
import { endBulk } from './summary.ts';

/** Runs the bulk form of a command, from the start or from where an earlier run stopped. */
export async function runBulkCommand(change: Change, options: GlobalOptions & BulkOptions): Promise<void> {
	const file = options.all ?? '';
	const input = readInput(file, change);
	if (input.headingLine !== undefined) sayHeading(`${file}:${input.headingLine}`, options);
	const session = openSession(options);
	const own = realPath(`${realPath(file)}.journal`);
	const path = realPath(options.journal ?? own);
	refuseAsOutput([file, path]);
	const work: Work = { change, options, session, input, path };
	if (options.dryRun) return showPlan(planOf(work));
	const release = lockJournal(path);
	try {
		// Another run of the same file may use the journal beside it, which it writes only once it may spend.
		const releaseOwn = path === own ? undefined : lockIfPossible(own);
		try {
			if (options.left === undefined) await runPlan(planOf(work));
			else await writeLeft(work, options.left);
		} finally {
			if (releaseOwn) releaseOrSay(releaseOwn, own, options);
		}
	} finally {
		releaseOrSay(release, path, options);
	}
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

function sayHeading(place: string, { json }: GlobalOptions): void {
	say(json ? JSON.stringify({ heading: { place } }) : `${place}: this line is a heading and is skipped`);
}

async function runPlan(plan: Plan): Promise<void> {
	const { change, options, session, input, path, found, pending } = plan;
	const before = readHistories(found, change.operation);
	const ending = { change, options, lines: input.lines, path, before };
	if (pending.length === 0) return endBulk({ ...ending, history: plan.history, rows: new Map() });
	if (change.spends(pending) > 0) refuseUnasked(options);
	const reseller = await session.client.myInfo({ signal: session.interrupts.stop });
	refuseOtherReseller(path, found, reseller.username);
	await askToSpendOn(plan, reseller.balanceCents);

	const header = found?.header ?? {
		version: JOURNAL_VERSION,
		operation: change.operation,
		url: session.url,
		reseller: reseller.username,
		input_sha256: input.sha256,
		began: new Date().toISOString(),
	};
	const journal = await openJournal(path, header, found);
	const rows = new Map<number, Row>();
	try {
		const stoppedBy = await runWithProgress(plan, journal, rows);
		endBulk({ ...ending, history: journal.history, rows, stoppedBy });
	} finally {
		// Its entries are on disk already.
		await journal.close().catch(() => {});
	}
}

async function askToSpendOn({ change, options, session, pending }: Plan, balanceCents: number): Promise<void> {
	const spends = change.spends(pending);
	if (spends === 0) return;
	const suffices = spends <= balanceCents ? '' : ', which is not enough';
	const does = change.does(pending);
	const question = `${does[0]?.toUpperCase()}${does.slice(1)} of your balance of ${usd(balanceCents)} USD${suffices}?`;
	await askToSpend(question, options, session.interrupts.stop);
}

function runWithProgress(plan: Plan, journal: Journal, rows: Map<number, Row>) {
	const { change, options, session, input, pending } = plan;
	const { lines } = input;
	const { client, settleLimitMs, isSoleWriter, interrupts } = session;
	const of = pending.length.toLocaleString('en');
	return withProgress(change.activity, async (progress) => {
		const print = await rowPrinter(change, lines, options.json, progress);
		interrupts.stop.addEventListener('abort', () => {
			if (!options.json) progress.say('stopping: waiting for the lines in progress; interrupt again to abandon them');
		});
		return runBulk({
			change,
			client,
			lines,
			journal,
			concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
			isSoleWriter,
			settleLimitMs,
			interrupts,
			async printRow(row) {
				rows.set(row.input.line, row);
				await print(row);
				progress.update(`${change.activity}: ${rows.size.toLocaleString('en')} of ${of}`);
			},
		});
	});
}
