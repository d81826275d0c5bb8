import type { Token } from '../domain/token.ts';
import type { Bank } from './bank.ts';

/** How often uses are written, in milliseconds. */
const WRITE_MS = 60_000;
/** The most tokens that are noted between two writes. The uses of further tokens are not noted. */
const MAX_TOKENS = 10_000;
/** How many uses are written at once. A request waits for one such batch at most. */
const AT_ONCE = 256;

/** Notes when tokens are used, and writes the notes about once a minute. */
export interface TokenUses {
	/** Notes a use of the token. For each further use, the caller sets `atMs` of the note. */
	note(token: Pick<Token, 'hash' | 'reseller'>, atMs: number): NotedUse;
	close(): void;
}

export interface NotedUse {
	/** When the token was last used, in Unix milliseconds. */
	atMs: number;
}

interface Note extends NotedUse {
	readonly hash: string;
	readonly reseller: string;
	/** `atMs` as it was last written. */
	writtenMs: number | undefined;
}

/** A note that could not be written is written the next time. When the process ends, unwritten notes are lost. */
export function createTokenUses(
	bank: Pick<Bank, 'submit'>,
	{ writeMs = WRITE_MS }: { readonly writeMs?: number | undefined } = {},
): TokenUses {
	const notes = new Map<string, Note>();
	let isWriting = false;

	async function write(): Promise<void> {
		if (isWriting) return;
		isWriting = true;
		const news: Note[] = [];
		for (const [hash, note] of notes) {
			if (note.atMs === note.writtenMs) notes.delete(hash);
			else news.push(note);
		}
		for (let from = 0; from < news.length; from += AT_ONCE) {
			await Promise.all(news.slice(from, from + AT_ONCE).map(writeNote));
		}
		isWriting = false;
	}

	async function writeNote(note: Note): Promise<void> {
		const { hash, reseller, atMs } = note;
		const command = { kind: 'note_token_use', reseller, requestId: 'token-use', tokenHash: hash } as const;
		const { ok } = await bank.submit({ ...command, usedAtMs: atMs });
		if (ok) note.writtenMs = atMs;
	}

	const timer = setInterval(write, writeMs);
	timer.unref();

	return {
		note({ hash, reseller }, atMs) {
			const known = notes.get(hash);
			if (known) {
				known.atMs = atMs;
				return known;
			}
			const note: Note = { hash, reseller, atMs, writtenMs: undefined };
			if (notes.size < MAX_TOKENS) notes.set(hash, note);
			return note;
		},
		close: () => clearInterval(timer),
	};
}
