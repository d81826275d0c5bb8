import type { Note, NoteOutcome } from '../domain/bookkeeping/note.ts';
import type { Store } from '../store/store.ts';
import { createGroupCommit, type GroupCommit, type GroupCommitObserver } from './group-commit.ts';

/** A transaction of milliseconds: on SQLite, a command about money that comes meanwhile waits for one of them. */
const MAX_BATCH = 256;
/** About 16 MB. Many edges may say at once what is open of a thousand accounts each. */
const MAX_WAITING = 65_536;
/** All edges fit, and more tokens than are written at once; and what one request says is open. */
const MAX_OF_OWNER = 1_024;

interface NoteCommitOptions {
	readonly observer: GroupCommitObserver;
	/** How long a note may wait before it is written, in milliseconds. */
	readonly maxWaitMs: number;
}

/** The group commit of bookkeeping. The kinds of notes take turns, and of what is open, each process of an edge does. Whoever gave a note that is refused gives it again. */
export function createNoteCommit(
	store: Pick<Store, 'writeNotes' | 'nowMs'>,
	options: NoteCommitOptions,
): GroupCommit<Note, NoteOutcome> {
	return createGroupCommit({
		run: (notes) => store.writeNotes(notes, store.nowMs()),
		ownerOf,
		maxBatch: MAX_BATCH,
		maxWaiting: MAX_WAITING,
		maxOfOwner: MAX_OF_OWNER,
		...options,
	});
}

function ownerOf(note: Note): string {
	if (note.kind === 'open_on_edge') return `open on ${note.edge}`;
	return note.kind === 'open_in_process' ? `open on ${note.edge} in ${note.process}` : note.kind;
}
