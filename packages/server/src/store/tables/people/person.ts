import type {
	Invitation,
	OneTimeCodes,
	Passkey,
	Person,
	PersonRecord,
	Session,
} from '../../../domain/people/person.ts';
import type { PersonKey } from '../../../domain/people/person-facts.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { Columns, JsonFunctions, SharedStatement } from '../../statement.ts';
import { ROLE } from './known-people.ts';

/** The tables and columns of the keys of people, and of the ids of their people. */
const KEY_COLUMNS = {
	email: { table: 'people', key: 'email', person: 'id' },
	link: { table: 'invitations', key: 'hash', person: 'person' },
	session: { table: 'sessions', key: 'hash', person: 'person' },
	passkey: { table: 'passkeys', key: 'id', person: 'person' },
} as const satisfies Record<Exclude<PersonKey['by'], 'id'>, Readonly<Record<'table' | 'key' | 'person', string>>>;

/** A key whose person is not known yet. */
export interface SearchedKey {
	readonly by: keyof typeof KEY_COLUMNS;
	readonly value: string;
}

/** Asks for the id of the person with a key, which is a parameter. */
function personIdBy(by: SearchedKey['by'], value: string): string {
	const { table, key, person } = KEY_COLUMNS[by];
	return `SELECT ${person} AS person FROM ${table} WHERE ${key} = ${value}`;
}

/** Finds the id of the person with a key of any kind. */
export const FIND_PERSON_ID = {
	sql: `${(Object.keys(KEY_COLUMNS) as SearchedKey['by'][])
		.map((by) => `${personIdBy(by, '$2')} AND $1 = '${by}'`)
		.join(' UNION ALL ')} LIMIT 1`,
	columns: {
		by: ['text', ({ by }) => by],
		value: ['text', ({ value }) => value],
	} satisfies Columns<SearchedKey>,
};

/** Asks for an operator, also one who was only invited. */
export const OPERATORS = 'SELECT 1 FROM people WHERE reseller IS NULL LIMIT 1';

/** Asks for the link with which the first operator claims the service. More conditions may follow. */
export const CLAIMS = `SELECT person, hash, purpose, expires_at_ms AS "expiresAtMs" FROM invitations
	WHERE purpose = 'claim'`;

/** The columns of each part of a person's record, by their names in the record. */
const INVITATION = { hash: 'hash', purpose: 'purpose', expiresAtMs: 'expires_at_ms' };
const CODES = { sealedSecret: 'sealed_secret', lastStep: 'last_step' };
const PASSKEY = {
	id: 'id',
	publicKey: 'public_key',
	counter: 'counter',
	transports: 'transports',
	name: 'name',
	createdAtMs: 'created_at_ms',
	lastUsedAtMs: 'last_used_at_ms',
};
const SESSION = {
	hash: 'hash',
	id: 'id',
	browser: 'browser',
	address: 'address',
	signedInAtMs: 'signed_in_at_ms',
	lastSeenAtMs: 'last_seen_at_ms',
	provenAtMs: 'proven_at_ms',
};

/** Asks for sessions, and the reseller and the role of their people, as `ActingSession`. A condition on `sessions.id` is to follow. */
const ACTING_SESSIONS = `SELECT reseller, ${ROLE}, ${Object.entries({ ...SESSION, person: 'person' })
	.map(([name, column]) => `sessions.${column} AS "${name}"`)
	.join(', ')} FROM sessions JOIN people ON people.id = sessions.person`;

/** A person and everything about them, in one row. */
interface PersonRow extends Person {
	readonly invitation: string | null;
	readonly codes: string | null;
	readonly recoveryCodes: string | null;
	readonly passkeys: string | null;
	readonly sessions: string | null;
}

/** Reads everything about a person. It is one statement, so that all of it is of one moment. */
export function readPerson({ by, value }: PersonKey, json: JsonFunctions): SharedStatement {
	const objectOf = (columns: Readonly<Record<string, string>>) =>
		`${json.object}(${Object.entries(columns).flatMap(([name, column]) => [`'${name}'`, column])})`;
	const part = (name: string, table: string, value: string) =>
		`(SELECT CAST(${value} AS text) FROM ${table} WHERE person = people.id) AS "${name}"`;
	const list = (item: string, order: string) => `${json.array}(${item} ORDER BY ${order})`;
	return {
		sql: `SELECT id, email, reseller, ${ROLE}, password_hash AS "passwordHash", created_at_ms AS "createdAtMs",
			locked_at_ms AS "lockedAtMs",
			${part('invitation', 'invitations', objectOf(INVITATION))},
			${part('codes', 'one_time_codes', objectOf(CODES))},
			${part('recoveryCodes', 'recovery_codes', list('hash', 'hash'))},
			${part('passkeys', 'passkeys', list(objectOf(PASSKEY), 'created_at_ms, id'))},
			${part('sessions', 'sessions', list(objectOf(SESSION), 'last_seen_at_ms DESC, hash'))}
			FROM people WHERE id = ${by === 'id' ? '$1' : `(${personIdBy(by, '$1')})`}`,
		values: [value],
	};
}

/** Throws if the row is not what was written. */
export function personOf(row: object | undefined, seal: KeySeal): PersonRecord | undefined {
	if (row === undefined) return undefined;
	const { invitation, codes, recoveryCodes, passkeys, sessions, ...person } = row as PersonRow;
	const ofPerson = <Part>(part: Part) => ({ ...part, person: person.id });
	return {
		person,
		invitation: ofJson<Omit<Invitation, 'person'>>(invitation).map(ofPerson)[0],
		codes: ofJson<SealedCodes>(codes).map((sealed) => codesOf(sealed, person.id, seal))[0],
		recoveryCodes: ofJson<string>(recoveryCodes),
		passkeys: ofJson<PasskeyRow>(passkeys).map((passkey) =>
			ofPerson({ ...passkey, transports: JSON.parse(passkey.transports) as string[] }),
		),
		sessions: ofJson<Omit<Session, 'person'>>(sessions).map(ofPerson),
	};
}

type PasskeyRow = Omit<Passkey, 'person' | 'transports'> & { readonly transports: string };

interface SealedCodes {
	readonly sealedSecret: string;
	readonly lastStep: number;
}

function codesOf({ sealedSecret, lastStep }: SealedCodes, person: string, seal: KeySeal): OneTimeCodes {
	return { person, secret: seal.openOnce(sealedSecret, codesContext(person)), lastStep };
}

/** The encryption context of the secret of a person's one-time codes. */
export function codesContext(person: string): string {
	return `one-time-codes/${person}`;
}

/** The objects of a JSON text: of an array, of one object, or none. */
function ofJson<Item>(text: string | null): readonly Item[] {
	return text === null ? [] : ([JSON.parse(text)].flat() as Item[]);
}

/** Finds sessions by their public ids, as `ActingSession`. */
export function findingSessions(ids: readonly string[]): readonly SharedStatement[] {
	return ids.map((id) => ({ sql: `${ACTING_SESSIONS} WHERE sessions.id = $1`, values: [id] }));
}
