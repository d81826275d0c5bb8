import { askToSpend, refuseUnasked } from '../consent.ts';
import type { GlobalOptions } from '../global-options.ts';
import { withProgress } from '../output/progress.ts';
import { usd } from '../output/units.ts';
import { openSession, type Session } from '../session.ts';
import { type BulkOptions, DEFAULT_CONCURRENCY } from './bulk-options.ts';
import type { Change } from './changes.ts';
import { nextStep, UNTOUCHED } from './history.ts';
import { type InputLine, readInput } from './input.ts';
import { findJournal, type Journal, openJournal, readHistories, refuseOtherReseller } from './journal.ts';
import type { FoundJournal } from './journal-file.ts';
import type { Row } from './line.ts';
import { lockJournal } from './lock.ts';
import { realPath } from './real-path.ts';
import { rowPrinter } from './rows.ts';
import { runBulk } from './run.ts';
import { endBulk } from './summary.ts';

type Options = GlobalOptions & BulkOptions;

/** A bulk form, when nothing has been sent yet. */
interface Plan {
	readonly change: Change;
	readonly options: Options;
	readonly session: Session;
	readonly lines: readonly InputLine[];
	readonly sha256: string;
	readonly path: string;
	readonly found: FoundJournal | undefined;
	/** The lines for which there is something to do. */
	readonly pending: readonly InputLine[];
}

/** Runs the bulk form of a command, or what a run before it has left to do. */
export async function runBulkCommand(change: Change, options: Options): Promise<void> {
	const file = options.all ?? '';
	const { lines, sha256 } = readInput(file, change);
	const session = openSession(options);
	const path = realPath(options.journal ?? `${realPath(file)}.journal`);
	const release = lockJournal(path);
	try {
		const subject = { operation: change.operation, url: session.url, input_sha256: sha256 };
		const found = findJournal(path, subject);
		const histories = readHistories(found, change.operation);
		const pending = lines.filter(({ line }) => {
			const history = histories.get(line) ?? UNTOUCHED;
			return nextStep(history, change.operation, session.isSoleWriter) !== 'nothing';
		});
		const plan = { change, options, session, lines, sha256, path, found, pending };
		if (pending.length > 0) await runPlan(plan);
		else endBulk({ ...plan, history: (line) => histories.get(line) ?? UNTOUCHED, before: histories, rows: new Map() });
	} finally {
		release();
	}
}

async function runPlan(plan: Plan): Promise<void> {
	const { change, options, session, path, found, pending } = plan;
	if (change.spends(pending) > 0) refuseUnasked(options);
	const reseller = await session.client.myInfo({ signal: session.interrupts.stop });
	refuseOtherReseller(path, found, reseller.username);
	await askToSpendOn(plan, reseller.balanceCents);

	const header = found?.header ?? {
		version: 1,
		operation: change.operation,
		url: session.url,
		reseller: reseller.username,
		input_sha256: plan.sha256,
		began: new Date().toISOString(),
	};
	const before = readHistories(found, change.operation);
	const journal = await openJournal(path, header, found);
	const rows = new Map<number, Row>();
	try {
		const stoppedBy = await runWithProgress(plan, journal, rows);
		endBulk({ ...plan, history: journal.history, before, rows, stoppedBy });
	} finally {
		await journal.close();
	}
}

async function askToSpendOn({ change, options, session, pending }: Plan, balanceCents: number): Promise<void> {
	const spends = change.spends(pending);
	if (spends === 0) return;
	const suffices = spends <= balanceCents ? '' : ', which is not enough';
	const question = `${change.question(pending)} of your balance of ${usd(balanceCents)} USD${suffices}?`;
	await askToSpend(question, options, session.interrupts.stop);
}

function runWithProgress(plan: Plan, journal: Journal, rows: Map<number, Row>) {
	const { change, options, session, lines, pending } = plan;
	const { client, settleLimitMs, isSoleWriter, interrupts } = session;
	const of = pending.length.toLocaleString('en');
	return withProgress(change.activity, async (progress) => {
		const print = await rowPrinter(change, lines, options.json, progress);
		interrupts.stop.addEventListener('abort', () => {
			if (!options.json) progress.say('stopping: what is under way is waited for; interrupt again to leave it');
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
