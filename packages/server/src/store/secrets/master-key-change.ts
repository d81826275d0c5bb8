import { randomBytes } from 'node:crypto';
import { makeProxyAuthkey } from '@bursar/contract/secret-text';
import type { CommandLineAct } from '../../domain/people/act.ts';
import { codesContext } from '../tables/people/person.ts';
import { createKeySeal } from './key-seal.ts';
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

const AUTH_KEYS: SealedColumn = {
	table: 'accounts',
	column: 'sealed_auth_key',
	key: ['reseller', 'username'],
	place: ([, username]) => username as string,
};

const CODES: SealedColumn = {
	table: 'one_time_codes',
	column: 'sealed_secret',
	key: ['person'],
	place: ([person]) => codesContext(person as string),
};

/** Everything in a store that is sealed under the master key, except its check value. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [AUTH_KEYS, CODES];

/** The primary key of a row, and its sealed text as the last value. */
export type SealedRow = readonly string[];

/** The outcome of a change of the master key. */
export interface ChangedMasterKey {
	/** How many secrets were sealed anew; `undefined` if the store already had this master key. */
	readonly secrets: number | undefined;
	/** The file in which the store keeps the new key; `undefined` if the operator keeps it. */
	readonly keptIn: string | undefined;
}

/** The outcome of the replacement of a lost master key. */
export interface ReplacedMasterKey {
	/** How many accounts have a new proxy auth key; `undefined` if the store already had this master key. */
	readonly authKeys: number | undefined;
	/** The e-mail addresses of the people who need a link: they have no password, and nobody has sent them a link. */
	readonly peopleWithoutLink: readonly string[];
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
	recordAct(act: CommandLineAct): Promise<void>;
	/** Runs a statement that means the same on both engines. Each row has one text. */
	run(sql: string): Promise<readonly string[]>;
	/** Resolves when the change is durable. */
	commit(): Promise<void>;
	close(): Promise<void>;
}

/** How a master key is changed. */
export interface MasterKeyWork {
	/** Recorded with the change. */
	readonly act: CommandLineAct;
	/** Called with how many secrets are done. */
	readonly onProgress: (count: number) => void;
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
	{ act, onProgress }: MasterKeyWork,
): Promise<number | undefined> {
	const check = await presentCheck(texts);
	if (isSealedUnder(to, check)) {
		await commitCheck(texts, check);
		return undefined;
	}
	if (!isSealedUnder(from, check)) throw new Error('the present master key is not the master key of the store');
	const [before, after] = [createKeySeal(from), createKeySeal(to)];
	let count = 0;
	for (const column of SEALED_COLUMNS) {
		const sealAnew: SealAnew = (sealed, place) => after.seal(before.openOnce(sealed, place), place);
		for await (const rows of sealColumn(texts, column, sealAnew)) {
			count += rows;
			onProgress(count);
		}
	}
	await texts.recordAct(act);
	await commitCheck(texts, sealCheck(after));
	return count;
}

/**
 * Gives a store whose master key is lost another one. What was sealed under the lost key cannot be opened any more, so
 * each account gets a new proxy auth key, and people's one-time codes are removed. Nothing else is sealed, so the books
 * stay as they are.
 */
export async function replaceMasterKey(
	texts: SealedTexts,
	to: Uint8Array,
	{ act, onProgress }: MasterKeyWork,
): Promise<Omit<ReplacedMasterKey, 'keptIn'>> {
	const check = await presentCheck(texts);
	const isReplaced = isSealedUnder(to, check);
	const after = createKeySeal(to);
	let count = 0;
	if (!isReplaced) {
		const sealNew: SealAnew = (_lost, place) => after.seal(makeProxyAuthkey(randomBytes), place);
		for await (const rows of sealColumn(texts, AUTH_KEYS, sealNew)) {
			count += rows;
			onProgress(count);
		}
		for (const sql of REMOVE_CODES) await texts.run(sql);
		await texts.recordAct(act);
	}
	const peopleWithoutLink = await texts.run(PEOPLE_WITHOUT_LINK);
	await commitCheck(texts, isReplaced ? check : sealCheck(after));
	return { authKeys: isReplaced ? undefined : count, peopleWithoutLink };
}

const ONLY_CODES = `SELECT person FROM ${CODES.table} WHERE person NOT IN (SELECT person FROM passkeys)`;

/**
 * Whoever has no other second factor loses the password too, and all sessions. Otherwise the password alone would open
 * the account, also for somebody who has found it out.
 */
const REMOVE_CODES = [
	`UPDATE people SET password_hash = NULL WHERE id IN (${ONLY_CODES})`,
	`DELETE FROM sessions WHERE person IN (${ONLY_CODES})`,
	`DELETE FROM recovery_codes WHERE person IN (${ONLY_CODES})`,
	`DELETE FROM ${CODES.table}`,
];

const PEOPLE_WITHOUT_LINK = `SELECT email FROM people
	WHERE password_hash IS NULL AND id NOT IN (SELECT person FROM invitations) ORDER BY email`;

async function presentCheck(texts: SealedTexts): Promise<string> {
	const check = await texts.readCheck();
	if (check !== undefined) return check;
	throw new Error('the store has no master key yet: it will use the first one that it is opened with');
}

/** Commits also what was done before, because the operator may be about to destroy the previous key. */
async function commitCheck(texts: SealedTexts, check: string): Promise<void> {
	await texts.writeCheck(check);
	await texts.commit();
}

/** What a sealed text of this place becomes. */
type SealAnew = (sealed: string, place: string) => string;

/** Yields how many rows each page had. */
async function* sealColumn(texts: SealedTexts, column: SealedColumn, sealAnew: SealAnew) {
	let last = column.key.map(() => '');
	for (;;) {
		const page = await texts.readPage(column, last, ROWS_AT_ONCE);
		if (page.length === 0) return;
		const sealedAnew = page.map((row) => {
			const key = row.slice(0, -1);
			return [...key, sealAnew(row.at(-1) as string, column.place(key))];
		});
		await texts.writePage(column, sealedAnew);
		yield page.length;
		last = (page.at(-1) as SealedRow).slice(0, -1);
	}
}
