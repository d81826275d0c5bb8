import { randomBytes } from 'node:crypto';
import { makeProxyAuthkey } from '@bursar/contract/secret-text';
import type { CommandLineAct } from '../../domain/people/act.ts';
import type { Reader } from '../reading.ts';
import { type Columns, givenRows, type RowsWrite } from '../statement.ts';
import { ADD_ACT, actValues } from '../tables/changes/acts.ts';
import { linkContext } from '../tables/people/mailed-links.ts';
import { codesContext } from '../tables/people/person.ts';
import { secretContext } from '../tables/webhooks/webhooks.ts';
import { createKeySeal } from './key-seal.ts';
import { isSealedUnder, readMasterKeyCheck, sealCheck } from './master-key.ts';

/** A column with sealed texts. */
interface SealedColumn {
	readonly table: string;
	readonly column: string;
	/** The columns of the primary key. */
	readonly key: readonly string[];
	/** The context that a text is sealed for. */
	context(key: readonly string[]): string;
}

const AUTH_KEYS: SealedColumn = {
	table: 'accounts',
	column: 'sealed_auth_key',
	key: ['reseller', 'username'],
	context: ([, username]) => username as string,
};

const CODES: SealedColumn = {
	table: 'one_time_codes',
	column: 'sealed_secret',
	key: ['person'],
	context: ([person]) => codesContext(person as string),
};

const [WEBHOOK_SECRETS, PREVIOUS_WEBHOOK_SECRETS] = (['sealed_secret', 'sealed_previous_secret'] as const).map(
	(column): SealedColumn => ({
		table: 'webhook_endpoints',
		column,
		key: ['id'],
		context: ([id]) => secretContext(id as string),
	}),
) as [SealedColumn, SealedColumn];

/** The secrets of links that are to be mailed. */
const LINKS: SealedColumn = {
	table: 'invitations',
	column: 'sealed_secret',
	key: ['hash'],
	context: ([hash]) => linkContext(hash as string),
};

/** Everything in a store that is sealed under the master key, except its check value. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
	...[AUTH_KEYS, CODES, LINKS, WEBHOOK_SECRETS, PREVIOUS_WEBHOOK_SECRETS],
];

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
	/** The e-mail addresses of the people who need a link: they have no password and no link. */
	readonly peopleWithoutLink: readonly string[];
	/** The file in which the store keeps the new key; `undefined` if the operator keeps it. */
	readonly keptIn: string | undefined;
}

/**
 * All sealed texts of a store that no other process has open. Everything happens in one transaction, which is rolled
 * back unless it is committed.
 */
export interface SealedTexts {
	readonly read: Reader['read'];
	/** How many rows were written. */
	write(write: RowsWrite): number | Promise<number>;
	/** The clock of the store, in Unix milliseconds. */
	nowMs(): number | Promise<number>;
	/** Resolves when the change is durable. */
	commit(): void | Promise<void>;
	close(): void | Promise<void>;
	/** The master key that the store should have. */
	presentKey(): Uint8Array;
	/** The master key in place of the lost one that made this check value. Throws if it is not lost. */
	keyInPlaceOfLost(check: string): Uint8Array;
	/** Keeps a new master key in a file, unless the operator keeps it. Returns the file. */
	keep(masterKey: Uint8Array): string | undefined;
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
 * Seals every proxy auth key, and every secret of one-time codes, of links to be mailed and of webhooks, of a store anew, under another master key, and closes the
 * store. Throws if the store was sealed under neither key. If the process stops, run it again with the same new key.
 */
export async function changeMasterKey(
	texts: SealedTexts,
	to: Uint8Array,
	{ act, onProgress }: MasterKeyWork,
): Promise<ChangedMasterKey> {
	try {
		const from = texts.presentKey();
		const check = await presentCheck(texts);
		if (isSealedUnder(to, check)) {
			await commitCheck(texts, check);
			return { secrets: undefined, keptIn: texts.keep(to) };
		}
		if (!isSealedUnder(from, check)) throw new Error('the present master key is not the master key of the store');
		const [before, after] = [createKeySeal(from), createKeySeal(to)];
		let count = 0;
		for (const column of SEALED_COLUMNS) {
			const sealAnew: SealAnew = (sealed, context) => after.seal(before.openOnce(sealed, context), context);
			for await (const rows of sealColumn(texts, column, sealAnew)) {
				count += rows;
				onProgress(count);
			}
		}
		await recordAct(texts, act);
		await commitCheck(texts, sealCheck(after));
		return { secrets: count, keptIn: texts.keep(to) };
	} finally {
		await texts.close();
	}
}

/**
 * Gives a store whose master key is lost another one, and closes it. What was sealed under the lost key cannot be opened any
 * more, so each account gets a new proxy auth key, people's one-time codes are removed, and webhooks are switched off, with a
 * secret that nobody knows. Nothing else is sealed, so the books stay as they are. If the process stops, run it again: the new key is the configured one, and not an argument, so it
 * stands somewhere before it is used.
 */
export async function replaceMasterKey(
	texts: SealedTexts,
	{ act, onProgress }: MasterKeyWork,
): Promise<ReplacedMasterKey> {
	try {
		const check = await presentCheck(texts);
		const to = texts.keyInPlaceOfLost(check);
		const isReplaced = isSealedUnder(to, check);
		const after = createKeySeal(to);
		let count = 0;
		if (!isReplaced) {
			const sealNew: SealAnew = (_lost, context) => after.seal(makeProxyAuthkey(randomBytes), context);
			for await (const rows of sealColumn(texts, AUTH_KEYS, sealNew)) {
				count += rows;
				onProgress(count);
			}
			const unknown: SealAnew = (_lost, context) => after.seal(`whsec_${randomBytes(32).toString('base64')}`, context);
			for await (const _rows of sealColumn(texts, WEBHOOK_SECRETS, unknown)) {
				// They are no auth keys, and not counted.
			}
			for (const sql of [...REMOVE_CODES, FORGET_LINKS, END_WEBHOOK_SECRETS]) await texts.write({ sql, values: [] });
			await recordAct(texts, act);
		}
		const people = (await texts.read({ sql: PEOPLE_WITHOUT_LINK, values: [] })) as readonly {
			readonly email: string;
		}[];
		await commitCheck(texts, isReplaced ? check : sealCheck(after));
		return {
			authKeys: isReplaced ? undefined : count,
			peopleWithoutLink: people.map(({ email }) => email),
			keptIn: texts.keep(to),
		};
	} finally {
		await texts.close();
	}
}

const ONLY_CODES = `SELECT person FROM ${CODES.table} WHERE person NOT IN (SELECT person FROM passkeys)`;

/**
 * A person without another second factor loses the password too, and all sessions. Otherwise the password alone would open
 * the account, also for a stranger who knows it.
 */
const REMOVE_CODES = [
	`UPDATE people SET password_hash = NULL WHERE id IN (${ONLY_CODES})`,
	`DELETE FROM sessions WHERE person IN (${ONLY_CODES})`,
	`DELETE FROM recovery_codes WHERE person IN (${ONLY_CODES})`,
	`DELETE FROM ${CODES.table}`,
];

/** The links still work, but cannot be mailed any more. */
const FORGET_LINKS = 'UPDATE invitations SET sealed_secret = NULL';

/** The reseller makes a new secret, and switches the webhook on again. */
const END_WEBHOOK_SECRETS = `UPDATE webhook_endpoints SET sealed_previous_secret = NULL, previous_until_ms = NULL,
	off_reason = 'secret_lost'`;

/** A link of who forgot the password replaces one, and gives none to a person who has none any more. */
const PEOPLE_WITHOUT_LINK = `SELECT email FROM people
	WHERE password_hash IS NULL AND id NOT IN (SELECT person FROM invitations WHERE purpose <> 'new_password') ORDER BY email`;

async function presentCheck({ read }: SealedTexts): Promise<string> {
	const check = await readMasterKeyCheck(read);
	if (check !== undefined) return check;
	throw new Error('the store has no master key yet: it will use the first one that it is opened with');
}

async function recordAct(texts: SealedTexts, act: CommandLineAct): Promise<void> {
	await texts.write({ sql: ADD_ACT, values: actValues({ ...act, reseller: null, atMs: await texts.nowMs() }) });
}

/** Commits also what was done before, because the operator may be about to destroy the previous key. */
async function commitCheck(texts: SealedTexts, check: string): Promise<void> {
	const sql = "UPDATE meta SET value = $1 WHERE name = 'master_key_check'";
	await texts.write({ sql, values: [check], rows: 1 });
	await texts.commit();
}

/** Makes the new sealed text for one of this context. */
type SealAnew = (sealed: string, context: string) => string;

/** Yields how many rows each page had. */
async function* sealColumn(texts: SealedTexts, { table, column, key, context }: SealedColumn, sealAnew: SealAnew) {
	const names = key.join(', ');
	const after = key.map((_, index) => `$${index + 1}`).join(', ');
	const page = `SELECT ${names}, ${column} FROM ${table}
		WHERE (${names}) > (${after}) AND ${column} IS NOT NULL ORDER BY ${names} LIMIT $${key.length + 1}`;
	const isRow = key.map((name) => `${table}.${name} = given.${name}`).join(' AND ');
	const writePage = `UPDATE ${table} SET ${column} = given.${column} FROM given WHERE ${isRow}`;
	const columns: Columns<readonly string[]> = Object.fromEntries(
		[...key, column].map((name, index) => [name, ['text', (row: readonly string[]) => row[index]] as const]),
	);
	let last: readonly string[] = key.map(() => '');
	for (;;) {
		const rows = await texts.read({ sql: page, values: [...last, ROWS_AT_ONCE] });
		if (rows.length === 0) return;
		// The key of each row, and its sealed text as the last value.
		const sealedAnew = rows.map((row) => {
			const texts = Object.values(row) as readonly string[];
			return [...texts.slice(0, -1), sealAnew(texts.at(-1) as string, context(texts))];
		});
		const written = await texts.write({ sql: writePage, given: givenRows(sealedAnew, columns) });
		if (written !== rows.length) throw new Error(`${rows.length} rows had to be written, but ${written} were`);
		yield rows.length;
		last = sealedAnew.at(-1)?.slice(0, -1) as readonly string[];
	}
}
