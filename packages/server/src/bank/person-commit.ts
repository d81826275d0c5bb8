import { type PersonCommand, type PersonOutcome, personVerbOf } from '../commands/registry.ts';
import type { Store } from '../store/store.ts';
import { createGroupCommit, type GroupCommit, type GroupCommitObserver } from './group-commit.ts';

/** A transaction of milliseconds, so that a command about money never waits long for it. */
const MAX_BATCH = 16;
const MAX_WAITING = 512;
const MAX_OF_OWNER = 32;

interface PersonCommitOptions {
	readonly observer: GroupCommitObserver;
	/** How long a command may wait before it starts, in milliseconds. */
	readonly maxWaitMs: number;
}

/** The group commit of commands about people. People, and those who try to sign in, take turns. */
export function createPersonCommit(
	store: Pick<Store, 'runPersonCommands' | 'nowMs'>,
	options: PersonCommitOptions,
): GroupCommit<PersonCommand, PersonOutcome> {
	return createGroupCommit({
		run: (commands) => store.runPersonCommands(commands, store.nowMs()),
		ownerOf: (command) => personVerbOf(command).owner(command),
		maxBatch: MAX_BATCH,
		maxWaiting: MAX_WAITING,
		maxOfOwner: MAX_OF_OWNER,
		...options,
	});
}
