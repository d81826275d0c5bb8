import type { Token } from '../domain/token.ts';
import type { Bank } from './bank.ts';

/** How often uses are written, in milliseconds. */
const WRITE_MS = 60_000;
/** How often uses of retired tokens are written: people watch whether the previous token is still in use. */
const WRITE_RETIRED_MS = 2_000;
/** The most tokens that are noted between two writes. The uses of further tokens are not noted. */
const MAX_TOKENS = 10_000;
/** How many uses are written at once. A request waits for one such batch at most. */
const AT_ONCE = 256;

/** Notes when tokens are used, and writes the notes about once a minute, those of retired tokens every two seconds. */
export interface TokenUses {
	/** Notes a use of the token. For each further use, the caller sets `atMs` of the note. */
	note(token: Pick<Token, 'hash' | 'reseller' | 'expiresAtMs'>, atMs: number): NotedUse;
	close(): void;
}

export interface NotedUse {
	/** When the token was last used, in Unix milliseconds. */
	atMs: number;
}

interface Note extends NotedUse {
	readonly hash: string;
	readonly reseller: string;
	isRetired: boolean;
	/** `atMs` as it was last written. */
	writtenMs: number | undefined;
	/** `atMs` as it was when all uses were last due. */
	keptMs: number | undefined;
}

/** A note that could not be written is written the next time. When the process ends, unwritten notes are lost. */
export function createTokenUses(
	bank: Pick<Bank, 'submit'>,
	{ writeMs = WRITE_MS }: { readonly writeMs?: number | undefined } = {},
): TokenUses {
	const notes = new Map<string, Note>();
	const retiredMs = Math.min(WRITE_RETIRED_MS, writeMs);
	const turnsUntilAll = Math.round(writeMs / retiredMs);
	let turns = 0;
	let isWriting = false;
	let isAllDue = false;

	/** Writes the uses of retired tokens, and in some turns all uses. */
	async function takeTurn(): Promise<void> {
		turns++;
		isAllDue ||= turns % turnsUntilAll === 0;
		if (isWriting) return;
		isWriting = true;
		const news = [...notes.values()].filter((note) => isNew(note) && (isAllDue || note.isRetired));
		if (isAllDue) forgetUnused();
		isAllDue = false;
		for (let from = 0; from < news.length; from += AT_ONCE) {
			await Promise.all(news.slice(from, from + AT_ONCE).map(writeNote));
		}
		isWriting = false;
	}

	/** Forgets the notes without a use since the last time. A note is in use for as long as its token is remembered. */
	function forgetUnused(): void {
		for (const [hash, note] of notes) {
			if (!isNew(note) && note.atMs === note.keptMs) notes.delete(hash);
			note.keptMs = note.atMs;
		}
	}

	async function writeNote(note: Note): Promise<void> {
		const { hash, reseller, atMs } = note;
		const command = { kind: 'note_token_use', reseller, requestId: 'token-use', tokenHash: hash } as const;
		const { ok } = await bank.submit({ ...command, usedAtMs: atMs });
		if (ok) note.writtenMs = atMs;
	}

	const timer = setInterval(takeTurn, retiredMs);
	timer.unref();

	return {
		note({ hash, reseller, expiresAtMs }, atMs) {
			const isRetired = expiresAtMs !== null;
			const known = notes.get(hash);
			if (known) return Object.assign(known, { atMs, isRetired });
			const note: Note = { hash, reseller, isRetired, atMs, writtenMs: undefined, keptMs: undefined };
			if (notes.size < MAX_TOKENS) notes.set(hash, note);
			return note;
		},
		close: () => clearInterval(timer),
	};
}

function isNew({ atMs, writtenMs }: Note): boolean {
	return atMs !== writtenMs;
}
