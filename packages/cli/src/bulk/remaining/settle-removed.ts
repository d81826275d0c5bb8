import { OutcomeUnknownError } from '@bursar/client';
import { runBulk } from '@bursar/contract/bulk-run';
import { DEFAULT_CONCURRENCY } from '../bulk-options.ts';
import type { InputLine } from '../input/read-input.ts';
import { refuseOtherReseller } from '../journal/find-journal.ts';
import type { FoundJournal } from '../journal/journal-file.ts';
import { historiesOf, knownOf } from '../journal/line-history.ts';
import type { JournalledWork } from '../plan.ts';
import { findRemainingLines, type RemainingLines } from './find-remaining-lines.ts';

/** A line that is not in the file any more, and what its change turned out to be. */
export interface SettledLine extends InputLine {
	readonly state: 'done' | 'not_done';
	/** Why it was refused. */
	readonly code?: string;
}

/**
 * Finds out about the lines in doubt that stay behind: a run of the new file would not look for them, or wait until their
 * requests can no longer arrive. If one was done, the new file has one equal line less, so another may then stay behind.
 */
export async function settleRemoved(work: JournalledWork, found: FoundJournal) {
	const serviceTime = await serviceTimeFor(work, found);
	const settled: SettledLine[] = [];
	const asked = new Set<number>();
	for (;;) {
		const entries = [...found.entries, ...settled];
		const remaining = findRemainingLines(work.input, { ...found, entries }, serviceTime);
		const open = remaining.onTheirWay.filter(({ line }) => !asked.has(line));
		if (open.length === 0) return { remaining, settled: settled.sort((one, other) => one.line - other.line) };
		for (const { line } of open) asked.add(line);
		settled.push(...(await settle(work, open)));
	}
}

/** Asks the service only if a line is in doubt. Throws a `UsageError` if the journal is of another reseller. */
async function serviceTimeFor({ session, path }: JournalledWork, found: FoundJournal): Promise<Date | undefined> {
	const isInDoubt = historiesOf(found.entries)
		.values()
		.some(({ state }) => state === 'begun');
	if (!isInDoubt) return undefined;
	const { client, interrupts } = session;
	const { username } = await client.account.retrieve({ signal: interrupts.stop });
	refuseOtherReseller(path, found, username);
	return client.serviceTime();
}

/** Leaves out a line if the service itself does not know its outcome. Rejects if another outcome cannot be found out. */
async function settle(work: JournalledWork, lines: RemainingLines['onTheirWay']): Promise<SettledLine[]> {
	const { change, options, session } = work;
	const { stop: signal } = session.interrupts;
	const settled: SettledLine[] = [];
	const failures: unknown[] = [];
	await runBulk(lines, {
		concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
		isStopped: () => failures.length > 0,
		async doLine({ begun, ...input }) {
			try {
				const recorded = await session.client.changes.settle(knownOf(change, begun), { signal });
				const code = recorded?.error;
				const isDone = recorded !== undefined && code === undefined;
				settled.push({ ...input, state: isDone ? 'done' : 'not_done', ...(code !== undefined && { code }) });
			} catch (error) {
				const isNeverKnown = error instanceof OutcomeUnknownError && begun.mayHappenLater && !signal.aborted;
				if (!isNeverKnown) failures.push(error);
			}
			return true;
		},
	});
	if (failures.length > 0) throw failures[0];
	return settled;
}
