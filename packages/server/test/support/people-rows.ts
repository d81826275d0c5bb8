import type { KeySeal } from '../../src/store/secrets/key-seal.ts';
import { linkContext } from '../../src/store/tables/people/mailed-links.ts';
import { secretContext } from '../../src/store/tables/webhooks/webhooks.ts';

/** Rows to insert, by table. */
export type TableRows = Readonly<Record<string, readonly Row[]>>;
type Row = Readonly<Record<string, string | number | null>>;

export const ANN = 'ann-id';
const OPERATOR = 'olga-id';
/** The link of the operator, who was only invited. It was not mailed yet. */
const LINK_HASH = 'hash-of-the-link';
export const LINK_SECRET = 'secret-of-the-link';
/** The base32 secret of Ann's one-time codes. */
export const CODES_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/**
 * Rows for every table of people: Ann works for the reseller and has one of everything, and Olga is an operator who is
 * locked and has never set a password.
 */
export function peopleRows(reseller: string, seal: Pick<KeySeal, 'seal'>, nowMs: number): TableRows {
	const later = nowMs + 3_600_000;
	return {
		people: [
			{
				id: ANN,
				email: 'ann@acme.example',
				reseller,
				password_hash: '$argon2id$x',
				created_at_ms: 5,
				locked_at_ms: null,
			},
			{
				id: OPERATOR,
				email: 'ölga@bursar.example',
				reseller: null,
				password_hash: null,
				created_at_ms: 6,
				locked_at_ms: 7,
			},
		],
		removed_people: [{ id: 'cyd-id', email: 'cyd@acme.example', reseller, removed_at_ms: 8 }],
		invitations: [
			{
				...{ person: OPERATOR, hash: LINK_HASH, purpose: 'set_password', expires_at_ms: later },
				sealed_secret: seal.seal(LINK_SECRET, linkContext(LINK_HASH)),
			},
		],
		sessions: Array.from({ length: 200 }, (_, index) => ({
			hash: `hash-of-the-cookie-${index}`,
			id: `session-${index}`,
			person: ANN,
			browser: `Firefox ${index}`,
			address: `192.0.2.${index}`,
			signed_in_at_ms: nowMs,
			last_seen_at_ms: nowMs,
			proven_at_ms: index % 2 === 0 ? nowMs : null,
		})),
		passkeys: [
			{
				id: 'credential',
				person: ANN,
				public_key: 'cose',
				counter: 3,
				transports: '["internal"]',
				name: "Ann's phone",
				created_at_ms: 8,
				last_used_at_ms: null,
			},
		],
		one_time_codes: [
			{ person: ANN, sealed_secret: seal.seal(CODES_SECRET, `one-time-codes/${ANN}`), last_step: 59_000_000 },
		],
		recovery_codes: ['a', 'b'].map((name) => ({ person: ANN, hash: `hash-of-code-${name}` })),
		mail_choices: [{ person: ANN, kind: 'low_balance', wanted: 1 }],
		outbox: [
			{
				...{
					person: ANN,
					kind: 'new_sign_in',
					notices: 2,
					told: '{"browser":"ä"}\n',
					number: 3,
					mail_notices: 1,
					mail_told: '{}\n',
				},
				...{ begun_at_ms: 4, tries: 5, failure: '451 at DATA', given_up: 6, next_at_ms: later },
			},
		],
		sign_in_tries: [{ key: 'hash-of-an-address', forgiven_at_ms: later }],
		used_challenges: [{ hash: 'hash-of-a-challenge', expires_at_ms: later }],
		acts: ['rotate_token', 'end_all_tokens'].map((kind) => ({
			id: `act-${kind}`,
			person: ANN,
			session: 'session-0',
			address: '192.0.2.0',
			kind,
			target: 'wxyz',
			at_ms: nowMs,
			request_id: kind === 'rotate_token' ? 'request-of-ann' : 'another-request-of-ann',
		})),
	};
}

/** A webhook of the reseller, whose secret was rotated and which was tried once. */
export function webhookRows(reseller: string, seal: Pick<KeySeal, 'seal'>, nowMs: number): TableRows {
	const id = 'whe_0000000000000000000001';
	const sealed = (name: string) => seal.seal(`whsec_${name}`, secretContext(id));
	return {
		webhook_endpoints: [
			{
				...{ id, reseller, url: 'https://acme.example/events', types: 'sub_user.created', off_reason: null },
				...{ sealed_secret: sealed('present'), sealed_previous_secret: sealed('previous'), previous_until_ms: nowMs },
				...{
					reached_number: 0,
					reached_id: null,
					failing_since_ms: nowMs,
					failed_tries: 1,
					next_at_ms: nowMs + 60_000,
				},
				...{ test_at_ms: null, all_tries: 1, lease_owner: 'one', lease_until_ms: nowMs, created_at_ms: nowMs },
			},
		],
		webhook_tries: [
			{
				...{ webhook: id, slot: 0, event_number: 1, event_id: 'evt_1', event_type: 'sub_user.created' },
				...{ at_ms: nowMs, status: 500, failure: null, took_ms: 12, answer: 'nö' },
			},
		],
	};
}

/** Statements that insert the rows, with values for `$1` and so on, or on SQLite for `?`. */
export function inserts(tables: TableRows, engine: 'SQLite' | 'PostgreSQL') {
	return Object.entries(tables).flatMap(([table, rows]) =>
		rows.map((row) => {
			const names = Object.keys(row);
			const placeholders = names.map((_, index) => (engine === 'SQLite' ? '?' : `$${index + 1}`));
			const schema = engine === 'SQLite' ? '' : 'bursar.';
			return {
				sql: `INSERT INTO ${schema}${table} (${names.join(', ')}) VALUES (${placeholders.join(', ')})`,
				values: Object.values(row),
			};
		}),
	);
}
