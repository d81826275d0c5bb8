import { codesContext } from '../people/person-rows.ts';
import { createKeySeal, type KeySeal } from './key-seal.ts';
import { isSealedUnder, sealCheck } from './master-key.ts';

/** A column with sealed texts. */
export interface SealedColumn {
	readonly table: string;
	readonly column: string;
	/** The columns of the primary key. */
	readonly key: readonly string[];
	/** The place that a text is sealed for. */
	place(key: readonly string[]): string;
}

/** Everything in a store that is sealed under the master key, except its check value. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
	{
		table: 'accounts',
		column: 'sealed_auth_key',
		key: ['reseller', 'username'],
		place: ([, username]) => username as string,
	},
	{
		table: 'one_time_codes',
		column: 'sealed_secret',
		key: ['person'],
		place: ([person]) => codesContext(person as string),
	},
];

/** The primary key of a row, and its sealed text as the last value. */
export type SealedRow = readonly string[];

/** The outcome of a change of the master key. */
export interface ChangedMasterKey {
	/** How many secrets were sealed anew; `undefined` if the store already had this master key. */
	readonly secrets: number | undefined;
	/** The file in which the store keeps the new key; `undefined` if the operator keeps it. */
	readonly keptIn: string | undefined;
}

/**
 * All sealed texts of a store that no other process has open. Everything happens in one transaction, which is rolled
 * back unless it is committed.
 */
export interface SealedTexts {
	readCheck(): Promise<string | undefined>;
	/** The rows after this key (empty texts for the first page), in the order of the key. */
	readPage(column: SealedColumn, after: readonly string[], limit: number): Promise<readonly SealedRow[]>;
	writePage(column: SealedColumn, rows: readonly SealedRow[]): Promise<void>;
	writeCheck(sealed: string): Promise<void>;
	/** Resolves when the change is durable. */
	commit(): Promise<void>;
	close(): Promise<void>;
}

const ROWS_AT_ONCE = 5_000;

/**
 * Seals every proxy auth key and every secret of one-time codes of a store anew, under another master key. Returns how
 * many there were, or `undefined` if the store already has that master key. Throws if the store was sealed under
 * neither key.
 */
export async function changeMasterKey(
	texts: SealedTexts,
	{ from, to }: { readonly from: Uint8Array; readonly to: Uint8Array },
	onProgress: (count: number) => void,
): Promise<number | undefined> {
	const check = await texts.readCheck();
	if (check === undefined)
		throw new Error('the store has no master key yet: it will use the first one that it is opened with');
	if (isSealedUnder(to, check)) {
		// One more durable commit, because the operator may be about to destroy the previous key.
		await texts.writeCheck(check);
		await texts.commit();
		return undefined;
	}
	if (!isSealedUnder(from, check)) throw new Error('the present master key is not the master key of the store');
	const [before, after] = [createKeySeal(from), createKeySeal(to)];
	let count = 0;
	for (const column of SEALED_COLUMNS) {
		for await (const rows of sealColumn(texts, column, before, after)) {
			count += rows;
			onProgress(count);
		}
	}
	await texts.writeCheck(sealCheck(after));
	await texts.commit();
	return count;
}

/** Yields how many rows each page had. */
async function* sealColumn(texts: SealedTexts, column: SealedColumn, before: KeySeal, after: KeySeal) {
	let last = column.key.map(() => '');
	for (;;) {
		const page = await texts.readPage(column, last, ROWS_AT_ONCE);
		if (page.length === 0) return;
		const sealedAnew = page.map((row) => {
			const key = row.slice(0, -1);
			const place = column.place(key);
			return [...key, after.seal(before.openOnce(row.at(-1) as string, place), place)];
		});
		await texts.writePage(column, sealedAnew);
		yield page.length;
		last = (page.at(-1) as SealedRow).slice(0, -1);
	}
}
