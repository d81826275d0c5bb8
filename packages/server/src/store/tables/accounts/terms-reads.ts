import { OPEN_KNOWN_MS } from '@bursar/contract/edge-limits';
import type { Account } from '../../../domain/account.ts';
import type { Terms } from '../../../domain/terms.ts';
import { type SubUserState, stateOf } from '../../../domain/terms.ts';
import { startOfDayMs } from '../../../domain/usage.ts';
import type { ReadLanes } from '../../reading.ts';
import { type Bind, statementOf } from '../../search.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { SharedStatement } from '../../statement.ts';
import { ACCOUNT_COLUMNS, type AccountRow, accountOf } from './account.ts';
import { rangeCondition } from './names.ts';
import { pairDays, usedOn } from './pair.ts';
import { TERMS_COLUMNS, type TermsRow, termsOf } from './terms.ts';

/**
 * Reads of the terms and states of sub-users, and of deletions. Each read throws `StoreUnavailableError` if the store cannot be asked.
 * Resellers take turns. States are those of the store's clock.
 */
export interface TermsReads {
	/** A step through a reseller's sub-users by name. It looks at `NAMES_IN_A_STEP` of them at most, and may find none. */
	listSubUsersInState(query: SubUserPageQuery): Promise<SubUserStep>;
	/**
	 * The terms of a sub-user, and how much of its limits is used. Undefined if the reseller has no such sub-user. `owner` of
	 * the read; default: the reseller.
	 */
	findDetails(reseller: string, username: string, owner?: string): Promise<StoredDetails | undefined>;
	/** When the reseller's sub-user with this name was deleted. `owner` is the owner of the read; default: the reseller. */
	findDeletion(reseller: string, username: string, owner?: string): Promise<StoredDeletion | undefined>;
}

interface SubUserPageQuery {
	readonly reseller: string;
	/** The name before the page; `''` for the first one. */
	readonly after: string;
	/** Only names that begin with it. Its characters are those of names. */
	readonly prefix: string;
	/** `undefined`: all. */
	readonly state?: SubUserState | undefined;
	readonly limit: number;
	/** The owner of the read. Default: the reseller. */
	readonly owner?: string | undefined;
}

export type SubUserInState = Account & { readonly state: SubUserState };

interface SubUserStep {
	readonly subUsers: readonly SubUserInState[];
	/** The name after which the next step begins; `null` if nothing is left. */
	readonly next: string | null;
}

export interface StoredDetails {
	readonly username: string;
	readonly state: SubUserState;
	readonly terms: Terms;
	/** Bytes of this UTC day, this UTC month and all time, up and down together. */
	readonly usedOfDay: number;
	readonly usedOfMonth: number;
	readonly usedOfTotal: number;
	/** Connections that edges lately said are open. `null` without a limit of connections. */
	readonly openConnections: number | null;
	/** When it last used bandwidth, in Unix milliseconds. Of usage that an older version counted, the start of its day. */
	readonly lastSeenAtMs: number | null;
}

interface StoredDeletion {
	readonly username: string;
	/** Unix milliseconds. */
	readonly createdAtMs: number;
	readonly deletedAtMs: number;
}

/**
 * About a millisecond of an embedded store.
 * @bound Names that one read of a page of sub-users looks at: the next read goes on.
 */
const NAMES_IN_A_STEP = 1_000;

/** The reads of terms, states and deletions, for any engine. All are quick. */
export function termsReads({ quick }: ReadLanes, seal: KeySeal, nowMs: () => number): TermsReads {
	const read = async <Row>(owner: string, statement: SharedStatement) =>
		(await quick({ owner, statement })) as readonly Row[];

	return {
		async listSubUsersInState(query) {
			const { reseller, state, limit, owner = reseller } = query;
			const atMs = nowMs();
			// Without a state, and among the suspended, every row that an index finds is wanted.
			const isSearched = state === 'active' || state === 'expired';
			const [edge] = isSearched ? await read<{ username: string }>(owner, findEdge(query)) : [];
			const rows = await read<SubUserRow>(owner, findSubUsers(query, edge?.username, atMs));
			const subUsers = rows.map(
				(row): SubUserInState => ({
					...accountOf(row, seal.openOnce),
					state: stateOf(row, atMs),
				}),
			);
			return { subUsers, next: rows.length === limit ? (rows.at(-1)?.username ?? null) : (edge?.username ?? null) };
		},
		async findDetails(reseller, username, owner = reseller) {
			const atMs = nowMs();
			const [row] = await read<DetailsRow>(owner, findDetails(reseller, username, atMs));
			return row && detailsOf(row, atMs);
		},
		async findDeletion(reseller, username, owner = reseller) {
			const statement = { sql: DELETION, values: [reseller, username] };
			const [row] = await read<StoredDeletion>(owner, statement);
			return row;
		},
	};
}

const DELETION = `SELECT username, created_at_ms AS "createdAtMs", deleted_at_ms AS "deletedAtMs" FROM deleted_accounts
	WHERE reseller = $1 AND username = $2`;

type SubUserRow = AccountRow & Pick<TermsRow, 'suspendedAtMs' | 'expiresAtMs'>;

/** The sub-users that an index finds for a state, and those that are in it. */
function candidates(state: SubUserState | undefined): string {
	if (state === 'suspended') return 'AND suspended_at_ms IS NOT NULL';
	return state === 'expired' ? 'AND expires_at_ms IS NOT NULL' : '';
}

function isInState(state: SubUserState | undefined, atMs: number, bind: Bind): string {
	if (state === 'active')
		return `AND suspended_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > ${bind(atMs)})`;
	return state === 'expired' ? `AND suspended_at_ms IS NULL AND expires_at_ms <= ${bind(atMs)}` : '';
}

function isNamed({ reseller, prefix, after }: SubUserPageQuery, bind: Bind): string {
	const isBehind = rangeCondition('username', { prefix, descends: false, after }, bind);
	return `reseller = ${bind(reseller)} AND ${isBehind} AND username <> reseller`;
}

/** The last name that a step looks at, if there are more. */
function findEdge(query: SubUserPageQuery): SharedStatement {
	return statementOf(
		(bind) => `SELECT username FROM accounts WHERE ${isNamed(query, bind)} ${candidates(query.state)}
			ORDER BY username LIMIT 1 OFFSET ${bind(NAMES_IN_A_STEP - 1)}`,
	);
}

function findSubUsers(query: SubUserPageQuery, edge: string | undefined, atMs: number): SharedStatement {
	const { state, limit } = query;
	return statementOf(
		(bind) => `SELECT ${ACCOUNT_COLUMNS}, suspended_at_ms AS "suspendedAtMs", expires_at_ms AS "expiresAtMs"
			FROM live_accounts WHERE ${isNamed(query, bind)} ${candidates(state)} ${isInState(state, atMs, bind)}
				${edge === undefined ? '' : `AND username <= ${bind(edge)}`}
			ORDER BY username LIMIT ${bind(limit)}`,
	);
}

interface DetailsRow extends TermsRow {
	readonly username: string;
	readonly usedOfDay: number;
	readonly usedOfMonth: number;
	readonly usedOfTotal: number;
	readonly open: number;
	readonly lastDay: number | null;
	/** Of the last day. Older versions did not write it. */
	readonly lastAtMs: number | null;
}

function findDetails(reseller: string, username: string, atMs: number): SharedStatement {
	return statementOf((bind) => {
		const [firstOfMonth, today] = pairDays(atMs).map(bind);
		const last = (column: string) => `(SELECT ${column} FROM usage_days
			WHERE usage_days.reseller = account.reseller AND usage_days.username = account.username
				AND (bytes_up > 0 OR bytes_down > 0) ORDER BY day DESC LIMIT 1)`;
		const knownSince = bind(atMs - OPEN_KNOWN_MS);
		const openIn = (table: string) => `(SELECT CAST(COALESCE(sum(open), 0) AS bigint) FROM ${table}
			WHERE ${table}.username = account.username AND at_ms > ${knownSince})`;
		return `SELECT username, ${TERMS_COLUMNS}, ${usedOn(`AND day = ${today}`)} AS "usedOfDay",
			${usedOn(`AND day BETWEEN ${firstOfMonth} AND ${today}`)} AS "usedOfMonth", ${usedOn('')} AS "usedOfTotal",
			${openIn('open_connections')} + ${openIn('open_in_processes')} AS open,
			${last('day')} AS "lastDay", ${last('last_at_ms')} AS "lastAtMs"
			FROM accounts AS account
			WHERE reseller = ${bind(reseller)} AND username = ${bind(username)} AND username <> reseller`;
	});
}

function detailsOf(row: DetailsRow, atMs: number): StoredDetails {
	const { username, usedOfDay, usedOfMonth, usedOfTotal, open, lastDay, lastAtMs } = row;
	const terms = termsOf(row);
	return {
		username,
		state: stateOf(row, atMs),
		terms,
		usedOfDay,
		usedOfMonth,
		usedOfTotal,
		openConnections: terms.limits.connections === null ? null : open,
		lastSeenAtMs: lastAtMs ?? (lastDay === null ? null : startOfDayMs(lastDay)),
	};
}
