import type { UsageReport, UsageVerdict } from '../domain/usage.ts';
import type { BatchAnswer, Store } from '../store/store.ts';
import { createGroupCommit, type GroupCommit, type GroupCommitObserver } from './group-commit.ts';

/** The most reports in one step. */
export const USAGE_STEP = 1000;
/** Together 4,000 reports: a transaction of milliseconds, so that a command never waits long for it. */
const STEPS_IN_A_BATCH = 4;
/** Some 50 MB of reports. What comes on top of them is refused at once. */
const MAX_STEPS_WAITING = 256;
const MAX_STEPS_OF_SENDER = 64;

/** Some reports that one sender waits for. */
export interface UsageStep {
	readonly sender: string;
	readonly reports: readonly UsageReport[];
}

/** What became of each report of a step, in order. */
export interface UsageVerdicts {
	readonly ok: true;
	readonly verdicts: readonly UsageVerdict[];
}

export interface UsageCommitOptions {
	readonly observer: GroupCommitObserver;
	/** How long a step may wait to be begun, in milliseconds. */
	readonly maxWaitMs: number;
	/**
	 * How many batches are under way: with one, a command waits for one of them at most. With two, the store never
	 * waits for the next one.
	 */
	readonly atOnce?: number;
}

/** The group commit of usage reports: batches of steps, filled in turns over senders. */
export function createUsageCommit(
	store: Pick<Store, 'recordUsage' | 'nowMs'>,
	options: UsageCommitOptions,
): GroupCommit<UsageStep, UsageVerdicts> {
	return createGroupCommit({
		async run(steps, begun) {
			const reports = steps.flatMap((step) => step.reports);
			const answering = store.recordUsage(reports, store.nowMs());
			// The store records usage in the order in which it comes.
			begun();
			return perStep(steps, await answering);
		},
		ownerOf: ({ sender }) => sender,
		maxBatch: STEPS_IN_A_BATCH,
		maxWaiting: MAX_STEPS_WAITING,
		maxOfOwner: MAX_STEPS_OF_SENDER,
		...options,
	});
}

function perStep(steps: readonly UsageStep[], answer: BatchAnswer<UsageVerdict>): BatchAnswer<UsageVerdicts> {
	if (answer.kind !== 'committed') return answer;
	const verdicts = answer.results.values();
	return {
		...answer,
		results: steps.map(({ reports }) => ({ ok: true, verdicts: [...verdicts.take(reports.length)] })),
	};
}
