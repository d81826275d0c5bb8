import { type Command, type OutcomeOf, refuse } from '../domain/command.ts';
import type { Store } from '../store/store.ts';
import { createGroupCommit, type GroupCommit, type GroupCommitObserver } from './group-commit.ts';

/** Where commands go in: each is answered once its effect is durable. */
export interface Bank {
	/** Runs a command. Resolves when its effect is durable or it was refused; never rejects. */
	submit<C extends Command>(command: C): Promise<OutcomeOf<C>>;
	readonly waiting: number;
	/** Takes nothing more, and resolves when all that was taken has been answered. */
	stop(): Promise<void>;
}

/** Commands are dated by the store's clock. */
export function createBank(
	store: Pick<Store, 'runCommands' | 'nowMs' | 'maxWaitMs' | 'batchesAtOnce'>,
	options: { readonly observer: GroupCommitObserver; readonly maxBatch?: number },
): Bank {
	const commits: GroupCommit<Command, OutcomeOf<Command>> = createGroupCommit({
		run: (commands, begun) => store.runCommands(commands, store.nowMs(), begun),
		atOnce: store.batchesAtOnce,
		maxWaitMs: store.maxWaitMs,
		...options,
	});
	return {
		async submit<C extends Command>(command: C) {
			const outcome = await commits.submit(command);
			// The store answers each command with an outcome of its own kind.
			return (!outcome.ok ? refuse(outcome.error) : outcome) as OutcomeOf<C>;
		},
		get waiting() {
			return commits.waiting;
		},
		stop: () => commits.stop(),
	};
}
