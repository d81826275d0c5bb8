import type { Invitation, Person, PersonRecord, Session } from '../../../domain/people/person.ts';
import { gatherEach, inTurns } from '../../gather.ts';
import type { Reader, ReadLimit } from '../../reading.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { JsonFunctions } from '../../statement.ts';
import { STORED_TOKEN_COLUMNS, type StoredToken, type StoredTokenRow, tokenOf } from '../tokens/tokens.ts';
import { CLAIMS, FIND_PERSON_ID, OPERATORS, personOf, readPerson, type SearchedKey } from './person.ts';

/** The reads of the dashboard. Each throws `StoreUnavailableError` if the store cannot be asked. */
export interface DashboardReads {
	/** The session with this hash, expired or not, and everything about its person. */
	findSession(hash: string): Promise<SignedIn | undefined>;
	/** Everything about the person with this normalized e-mail address. */
	findPersonByEmail(email: string): Promise<PersonRecord | undefined>;
	/** Everything about the person with this passkey. */
	findPersonByPasskey(id: string): Promise<PersonRecord | undefined>;
	/** The invitation with this hash, expired or not. A claim is not found once there is an operator. */
	findInvitation(hash: string): Promise<FoundInvitation | undefined>;
	/** A page of the person's acts and of failed tries to sign in as this person, the newest first, before this number. */
	listActs(person: string, before: number, limit: number): Promise<readonly NumberedAct[]>;
	/** All tokens of the reseller, retired ones too. `owner` is the owner of the read; default: the reseller. */
	listTokens(reseller: string, owner?: string): Promise<readonly StoredToken[]>;
}

interface FoundInvitation {
	readonly invitation: Invitation;
	/** `undefined` for a claim. */
	readonly person: Person | undefined;
}

export interface SignedIn {
	readonly session: Session;
	readonly record: PersonRecord;
}

export interface NumberedAct {
	/** Grows with time. */
	readonly number: number;
	readonly id: string;
	readonly person: string;
	/** The public id of the session; `null` for a failed try. */
	readonly session: string | null;
	readonly address: string;
	readonly kind: string;
	readonly target: string;
	readonly details: string | null;
	/** Unix milliseconds. */
	readonly atMs: number;
}

/**
 * The reads of the dashboard, for any engine. First the id of the person with a key is looked up, which costs little. The
 * record is read only if there is such a person, when it is that person's turn. So requests with invented keys delay
 * nobody. Another person may have got the key in between, so `find` looks for it in the record again.
 */
export function personReads(
	reader: Reader,
	limits: Readonly<Record<'keys' | 'people', ReadLimit>>,
	seal: KeySeal,
	json: JsonFunctions,
): DashboardReads {
	const findId = gatherEach(
		reader,
		FIND_PERSON_ID,
		([found]: readonly { readonly person: string }[]) => found?.person,
		// The person is not known yet. So each key counts as an owner of its own.
		{ ownerOf: ({ value }) => value, ...limits.keys },
	);
	const read = inTurns(reader.read, limits.people);

	async function find(by: SearchedKey['by'], value: string) {
		const id = await findId({ by, value });
		return id === undefined ? undefined : findById(id);
	}

	async function findById(id: string) {
		const [row] = await read({ owner: id, statement: readPerson({ by: 'id', value: id }, json) });
		return personOf(row, seal);
	}

	async function findClaim(owner: string, hash: string) {
		const sql = `${CLAIMS} AND hash = $1 AND NOT EXISTS (${OPERATORS})`;
		const [claim] = await read({ owner, statement: { sql, values: [hash] } });
		return claim && { invitation: claim as Invitation, person: undefined };
	}

	return {
		async findSession(hash) {
			const record = await find('session', hash);
			const session = record?.sessions.find((each) => each.hash === hash);
			return record && session && { session, record };
		},
		findPersonByEmail: (email) => find('email', email),
		async findPersonByPasskey(id) {
			const record = await find('passkey', id);
			return record?.passkeys.some((passkey) => passkey.id === id) ? record : undefined;
		},
		async findInvitation(hash) {
			const id = await findId({ by: 'link', value: hash });
			if (id === undefined) return undefined;
			const record = await findById(id);
			if (!record) return findClaim(id, hash);
			const { invitation, person } = record;
			return invitation?.hash === hash ? { invitation, person } : undefined;
		},
		async listActs(person, before, limit) {
			const sql = `SELECT number, id, person, session, address, kind, target, details, at_ms AS "atMs" FROM acts
				WHERE person = $1 AND number < $2 ORDER BY number DESC LIMIT $3`;
			return (await read({ owner: person, statement: { sql, values: [person, before, limit] } })) as NumberedAct[];
		},
		async listTokens(reseller, owner = reseller) {
			const sql = `SELECT ${STORED_TOKEN_COLUMNS} FROM tokens WHERE reseller = $1 ORDER BY made_at_ms, hash`;
			const rows = await read({ owner, statement: { sql, values: [reseller] } });
			return (rows as readonly StoredTokenRow[]).map(tokenOf);
		},
	};
}
