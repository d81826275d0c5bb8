import type { ArrivedReport, UsageVerdict } from '../domain/usage.ts';
import type { BatchAnswer, Store } from '../store/store.ts';
import { createGroupCommit, type GroupCommit, type GroupCommitObserver } from './group-commit.ts';

/** @bound Usage reports in one step: the rest is in the next steps. */
export const USAGE_STEP = 1000;
/**
 * At most 4,000 reports: a transaction of milliseconds, so that a command never waits long for it.
 * @bound Steps of usage reports in one batch: the rest waits for the next batch.
 */
const STEPS_IN_A_BATCH = 4;
/** @bound Steps of usage reports that wait, about 50 MB: further ones are refused at once. */
const MAX_STEPS_WAITING = 256;
/** @bound Steps of usage reports of one sender that wait: further ones of it are refused at once. */
const MAX_STEPS_OF_SENDER = 64;

/** Reports that one sender sends together. */
export interface UsageStep {
	readonly sender: string;
	readonly reports: readonly ArrivedReport[];
}

/** The verdict for each report of a step, in order. */
export interface UsageVerdicts {
	readonly ok: true;
	readonly verdicts: readonly UsageVerdict[];
}

export interface UsageCommitOptions {
	readonly observer: GroupCommitObserver;
	/** Called with the accounts whose bandwidth was counted, once that is durable. */
	readonly onUsed: (usernames: readonly string[]) => void;
	/** The same with those whose bandwidth costs more now. */
	readonly onMetered: (usernames: readonly string[]) => void;
	/** How long a step may wait before it starts, in milliseconds. */
	readonly maxWaitMs: number;
	/** By default, a step is answered as soon as a command. */
	readonly answerLimitMs?: number;
	/**
	 * How many batches run at once. With one, a command that uses the same connection waits for at most one of them. With
	 * two, the store never waits for the next batch, and may commit it first.
	 */
	readonly atOnce?: number;
}

/** The group commit of usage reports. Its batches consist of steps, and senders take turns. */
export function createUsageCommit(
	store: Pick<Store, 'recordUsage' | 'nowMs'>,
	{ onUsed, onMetered, ...options }: UsageCommitOptions,
): GroupCommit<UsageStep, UsageVerdicts> {
	return createGroupCommit({
		async run(steps, begun) {
			const reports = steps.flatMap((step) => step.reports);
			const answering = store.recordUsage(reports, store.nowMs());
			// Batches may commit in any order. A sender that needs an order waits for each answer.
			begun();
			const answer = await answering;
			if (answer.kind === 'committed') {
				if (answer.used) onUsed(answer.used);
				if (answer.metered) onMetered(answer.metered);
			}
			return perStep(steps, answer);
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
