import type { UsageReport, UsageVerdict } from '../domain/usage.ts';
import type { BatchAnswer, Store } from '../store/store.ts';
import { createGroupCommit, type GroupCommit, type GroupCommitObserver } from './group-commit.ts';

/** The most reports in one step. */
export const USAGE_STEP = 1000;
/** Together 4,000 reports: a transaction of milliseconds, so that a command never waits long for it. */
const STEPS_IN_A_BATCH = 4;

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

/** The group commit of usage reports: batches of steps, filled in turns over senders. */
export function createUsageCommit(
	store: Pick<Store, 'recordUsage' | 'nowMs'>,
	options: { readonly observer: GroupCommitObserver; readonly maxWaitMs: number },
): GroupCommit<UsageStep, UsageVerdicts> {
	return createGroupCommit({
		run: async (steps) =>
			perStep(
				steps,
				await store.recordUsage(
					steps.flatMap(({ reports }) => reports),
					store.nowMs(),
				),
			),
		ownerOf: ({ sender }) => sender,
		maxBatch: STEPS_IN_A_BATCH,
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
