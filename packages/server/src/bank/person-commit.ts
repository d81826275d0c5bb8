import type { PersonCommand, PersonOutcome } from '../domain/people/person-command.ts';
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
		ownerOf,
		maxBatch: MAX_BATCH,
		maxWaiting: MAX_WAITING,
		maxOfOwner: MAX_OF_OWNER,
		...options,
	});
}

function ownerOf(command: PersonCommand): string {
	switch (command.kind) {
		case 'invite_person':
		case 'make_claim':
		case 'reset_person':
		case 'lock_person':
		case 'unlock_person':
		case 'remove_person':
		case 'set_role':
		case 'end_all_sessions':
		case 'begin_verification':
		case 'create_edge':
		case 'link_edge':
		case 'revoke_edge':
		case 'correct_usage':
		case 'import_usage':
			return 'operator';
		case 'take_mails':
		case 'end_try':
		case 'raise_alarm':
		case 'end_alarm':
			return 'mail';
		case 'count_try':
			return command.tries[0]?.key ?? '';
		case 'return_try':
			return command.key;
		case 'record_failure':
			// Strangers must not use up the turns of the person.
			return `failures:${command.failed.person}`;
		case 'accept_invitation':
		case 'claim':
		case 'join_edge':
			return command.linkHash;
		default:
			return command.person;
	}
}
