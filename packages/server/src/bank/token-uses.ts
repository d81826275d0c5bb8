import type { Token } from '../domain/token.ts';
import type { Bank } from './bank.ts';
import { writeRepeatedly } from './repeated-writing.ts';

/** How often uses are written, in milliseconds. */
const WRITE_MS = 60_000;
/** How often uses of retired tokens are written: people watch whether the previous token is still in use. */
const WRITE_RETIRED_MS = 2_000;
/** The most tokens that are noted between two writes. The uses of further tokens are not noted. */
const MAX_TOKENS = 10_000;
/** How many uses are written at once. */
const AT_ONCE = 256;

/** Notes when tokens are used, and writes the notes about once a minute, those of retired tokens every two seconds. */
export interface TokenUses {
	/** Notes a use of the token. For each further use, the caller sets `atMs` of the note. */
	note(token: Pick<Token, 'hash' | 'expiresAtMs'>, atMs: number): NotedUse;
	/** Writes the rest. */
	close(): Promise<void>;
}

export interface NotedUse {
	/** When the token was last used, in Unix milliseconds. */
	atMs: number;
}

interface Note extends NotedUse {
	readonly hash: string;
	isRetired: boolean;
	/** `atMs` as it was last written. */
	writtenMs: number | undefined;
	/** `atMs` as it was when all uses were last due. */
	keptMs: number | undefined;
}

/** What could not be written is written the next time. When the process dies, up to a minute is lost. */
export function createTokenUses(
	bank: Pick<Bank, 'note'>,
	{ writeMs = WRITE_MS }: { readonly writeMs?: number | undefined } = {},
): TokenUses {
	const notes = new Map<string, Note>();
	let isAllDue = false;
	const allDue = setInterval(() => {
		isAllDue = true;
	}, writeMs);
	allDue.unref();

	/** Writes the uses of retired tokens, or all uses if they are due. Returns whether nothing of it is left. */
	async function write(): Promise<boolean> {
		const news = [...notes.values()].filter((note) => isNew(note) && (isAllDue || note.isRetired));
		if (isAllDue) forgetUnused();
		isAllDue = false;
		for (let from = 0; from < news.length; from += AT_ONCE) {
			const written = await Promise.all(news.slice(from, from + AT_ONCE).map(writeNote));
			if (written.every(Boolean)) continue;
			// The store may be away. The rest is written in the next turn.
			isAllDue = true;
			return false;
		}
		return true;
	}

	/** Forgets the notes without a use since the last time. A note is in use for as long as its token is remembered. */
	function forgetUnused(): void {
		for (const [hash, note] of notes) {
			if (!isNew(note) && note.atMs === note.keptMs) notes.delete(hash);
			note.keptMs = note.atMs;
		}
	}

	async function writeNote(note: Note): Promise<boolean> {
		const { hash, atMs } = note;
		const { ok } = await bank.note({ kind: 'token_use', hash, usedAtMs: atMs });
		if (ok) note.writtenMs = atMs;
		return ok;
	}

	const writing = writeRepeatedly(write, Math.min(WRITE_RETIRED_MS, writeMs));

	return {
		note({ hash, expiresAtMs }, atMs) {
			const isRetired = expiresAtMs !== null;
			const known = notes.get(hash);
			if (known) return Object.assign(known, { atMs, isRetired });
			const note: Note = { hash, isRetired, atMs, writtenMs: undefined, keptMs: undefined };
			if (notes.size < MAX_TOKENS) notes.set(hash, note);
			return note;
		},
		close() {
			clearInterval(allDue);
			isAllDue = true;
			return writing.close();
		},
	};
}

function isNew({ atMs, writtenMs }: Note): boolean {
	return atMs !== writtenMs;
}
