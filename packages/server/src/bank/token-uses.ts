import type { TokenUse } from '../domain/bookkeeping/record.ts';
import type { Bank } from './bank.ts';
import { writeRepeatedly } from './repeated-writing.ts';

/** How often uses are written, in milliseconds. */
const WRITE_MS = 60_000;
/** How often uses of retired tokens are written: people watch whether the previous token is still in use. */
const WRITE_RETIRED_MS = 2_000;
/** @bound Tokens whose last use is remembered until it is written: uses of further tokens are not recorded. */
const MAX_TOKENS = 10_000;
/** @bound Uses of tokens that are written at once: the rest is written next. */
const AT_ONCE = 256;

/** Records when tokens are used: writes it about once a minute, of retired tokens every two seconds. */
export interface TokenUses {
	/** Records a use of the token. One that a rotation retired is written sooner. For each further use, the caller sets `atMs` of what is returned. */
	record(token: { readonly hash: string; readonly isRetired?: boolean }, atMs: number): KnownUse;
	/** Writes the rest. */
	close(): Promise<void>;
}

export interface KnownUse {
	/** When the token was last used, in Unix milliseconds. */
	atMs: number;
}

interface RememberedUse extends KnownUse {
	readonly hash: string;
	isRetired: boolean;
	/** `atMs` as it was last written. */
	writtenMs: number | undefined;
	/** `atMs` as it was when all uses were last due. */
	keptMs: number | undefined;
}

/** What could not be written is written the next time. When the process dies, up to a minute is lost. */
export function createTokenUses(
	bank: Pick<Bank, 'keep'>,
	{
		kind = 'token_use',
		writeMs = WRITE_MS,
	}: { readonly kind?: TokenUse['kind']; readonly writeMs?: number | undefined } = {},
): TokenUses {
	const remembered = new Map<string, RememberedUse>();
	let isAllDue = false;
	const allDue = setInterval(() => {
		isAllDue = true;
	}, writeMs);
	allDue.unref();

	/** Writes the uses of retired tokens, or all uses if they are due. Returns whether nothing of it is left. */
	async function write(): Promise<boolean> {
		const news = [...remembered.values()].filter((use) => isNew(use) && (isAllDue || use.isRetired));
		if (isAllDue) forgetUnused();
		isAllDue = false;
		for (let from = 0; from < news.length; from += AT_ONCE) {
			const written = await Promise.all(news.slice(from, from + AT_ONCE).map(writeUse));
			if (written.every(Boolean)) continue;
			// The store may be away. The rest is written in the next turn.
			isAllDue = true;
			return false;
		}
		return true;
	}

	/** Forgets tokens without a use since the last time. The caller may still set `atMs` for as long as it remembers the token. */
	function forgetUnused(): void {
		for (const [hash, use] of remembered) {
			if (!isNew(use) && use.atMs === use.keptMs) remembered.delete(hash);
			use.keptMs = use.atMs;
		}
	}

	async function writeUse(use: RememberedUse): Promise<boolean> {
		const { hash, atMs } = use;
		const { ok } = await bank.keep({ kind, hash, usedAtMs: atMs });
		if (ok) use.writtenMs = atMs;
		return ok;
	}

	const writing = writeRepeatedly(write, Math.min(WRITE_RETIRED_MS, writeMs));

	return {
		record({ hash, isRetired = false }, atMs) {
			const known = remembered.get(hash);
			if (known) return Object.assign(known, { atMs, isRetired });
			const use: RememberedUse = { hash, isRetired, atMs, writtenMs: undefined, keptMs: undefined };
			if (remembered.size < MAX_TOKENS) remembered.set(hash, use);
			return use;
		},
		close() {
			clearInterval(allDue);
			isAllDue = true;
			return writing.close();
		},
	};
}

function isNew({ atMs, writtenMs }: RememberedUse): boolean {
	return atMs !== writtenMs;
}
