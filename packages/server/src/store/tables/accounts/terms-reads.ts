import { OPEN_KNOWN_MS } from '@bursar/contract/edge-limits';
import type { UnusableReason } from '@bursar/contract/sub-user-terms';
import type { Account } from '../../../domain/account.ts';
import type { Terms } from '../../../domain/terms.ts';
import { type SubUserState, stateOf } from '../../../domain/terms.ts';
import { startOfDayMs } from '../../../domain/usage.ts';
import type { ReadLanes } from '../../reading.ts';
import { type Bind, statementOf } from '../../search.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { SharedStatement } from '../../statement.ts';
import { IS_SIGN_IN_ALLOWED } from '../sign-in/sign-in.ts';
import { ACCOUNT_COLUMNS, type AccountRow, accountOf } from './account.ts';
import { rangeCondition } from './names.ts';
import { pairDays, usedOn } from './pair.ts';
import { TERMS_COLUMNS, type TermsRow, termsOf } from './terms.ts';

/**
 * Reads of the terms and states of sub-users, and of deletions. Each read throws `StoreUnavailableError` if the store cannot be asked.
 * Resellers take turns. States are those of the store's clock.
 */
export interface TermsReads {
	/**
	 * A step through a reseller's sub-users by name. It looks at `NAMES_IN_A_STEP` of them at most, or of those that an index finds. It
	 * may find none.
	 */
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
	/** Only those of which the reseller was told one of these last; `null`: that they are usable. `undefined`: all. */
	readonly told?: readonly (UnusableReason | null)[] | undefined;
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

/** Bytes of this UTC day, this UTC month and all time, up and down together. */
export interface UsedBytes {
	readonly usedOfDay: number;
	readonly usedOfMonth: number;
	readonly usedOfTotal: number;
}

export interface StoredDetails extends UsedBytes {
	readonly username: string;
	readonly state: SubUserState;
	readonly terms: Terms;
	/** The keys of the addresses by which it signs in, in their order, and whether the operator allows that. */
	readonly signInAddresses: readonly string[];
	readonly maySignInByAddress: boolean;
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
			const { reseller, state, told, limit, owner = reseller } = query;
			const reasons = wantedReasons(query);
			if (reasons?.length === 0) return { subUsers: [], next: null };
			const atMs = nowMs();
			const isSearched = state !== undefined || told !== undefined;
			const [edge] = isSearched ? await read<{ username: string }>(owner, findEdge(query, reasons)) : [];
			const wanted = { reasons, last: edge?.username, atMs };
			const rows = await read<SubUserRow>(owner, findSubUsers(query, wanted));
			const subUsers = rows.map(
				(row): SubUserInState => ({
					...accountOf(row, seal.openOnce),
					state: stateOf(row, atMs),
				}),
			);
			return {
				subUsers: subUsers.filter((each) => state === undefined || each.state === state),
				next: rows.length === limit ? (rows.at(-1)?.username ?? null) : (edge?.username ?? null),
			};
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

/**
 * The reasons that were told of the wanted sub-users, if only sub-users with one are wanted. A suspension is told in its own
 * transaction.
 */
function wantedReasons({ state, told }: SubUserPageQuery): Reasons {
	const wanted = state === 'suspended' ? (told ?? ['suspended']).filter((reason) => reason === 'suspended') : told;
	return wanted?.includes(null) ? undefined : (wanted as Reasons);
}

type Reasons = readonly UnusableReason[] | undefined;

function isNamed({ reseller, prefix, after }: SubUserPageQuery, bind: Bind, last?: string): string {
	const isBehind = rangeCondition('username', { prefix, descends: false, after, last }, bind);
	return `reseller = ${bind(reseller)} AND ${isBehind} AND username <> reseller`;
}

/** The sub-users that an index finds. It has all that the conditions on them ask for: otherwise SQLite would not use it. */
function candidates({ state }: SubUserPageQuery, reasons: Reasons): string {
	if (reasons) return 'AND told_reason IS NOT NULL';
	return state === 'expired' ? 'AND expires_at_ms IS NOT NULL' : '';
}

/** Which of them are wanted. With reasons, states are looked at later. */
function isWanted({ state, told }: SubUserPageQuery, { reasons, atMs }: Wanted, bind: Bind): string {
	if (reasons) return `AND told_reason IN (${reasons.map(bind).join(', ')})`;
	return [
		...(state === 'active' ? ['AND suspended_at_ms IS NULL', `AND COALESCE(expires_at_ms > ${bind(atMs)}, TRUE)`] : []),
		...(state === 'expired' ? ['AND suspended_at_ms IS NULL', `AND expires_at_ms <= ${bind(atMs)}`] : []),
		...(told ? [`AND ${isTold(told, bind)}`] : []),
	].join(' ');
}

/** `null` is among them. */
function isTold(told: readonly (UnusableReason | null)[], bind: Bind): string {
	const reasons = told.filter((reason) => reason !== null).map(bind);
	return `(told_reason IS NULL${reasons.length > 0 ? ` OR told_reason IN (${reasons.join(', ')})` : ''})`;
}

/** The last name that a step looks at, if there are more. */
export function findEdge(query: SubUserPageQuery, reasons: Reasons): SharedStatement {
	return statementOf(
		(bind) => `SELECT username FROM accounts WHERE ${isNamed(query, bind)} ${candidates(query, reasons)}
			ORDER BY username LIMIT 1 OFFSET ${bind(NAMES_IN_A_STEP - 1)}`,
	);
}

interface Wanted {
	readonly reasons: Reasons;
	/** The last name that is looked at. */
	readonly last: string | undefined;
	readonly atMs: number;
}

export function findSubUsers(query: SubUserPageQuery, wanted: Wanted): SharedStatement {
	return statementOf(
		(bind) => `SELECT ${ACCOUNT_COLUMNS}, suspended_at_ms AS "suspendedAtMs", expires_at_ms AS "expiresAtMs"
			FROM live_accounts WHERE reseller = ${bind(query.reseller)} AND username IN (
				SELECT username FROM accounts WHERE ${isNamed(query, bind, wanted.last)}
					${candidates(query, wanted.reasons)} ${isWanted(query, wanted, bind)}
				ORDER BY username LIMIT ${bind(query.limit)})
			ORDER BY username`,
	);
}

interface DetailsRow extends TermsRow, UsedBytes {
	readonly username: string;
	readonly open: number;
	/** With spaces between. */
	readonly signInAddresses: string | null;
	/** 1 if it is. */
	readonly isSignInAllowed: number;
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
			(SELECT string_agg(address, ' ' ORDER BY address) FROM sign_in_addresses AS own
				WHERE own.reseller = account.reseller AND own.username = account.username) AS "signInAddresses",
			${IS_SIGN_IN_ALLOWED} AS "isSignInAllowed",
			${last('day')} AS "lastDay", ${last('last_at_ms')} AS "lastAtMs"
			FROM accounts AS account
			WHERE reseller = ${bind(reseller)} AND username = ${bind(username)} AND username <> reseller`;
	});
}

function detailsOf(row: DetailsRow, atMs: number): StoredDetails {
	const { username, usedOfDay, usedOfMonth, usedOfTotal, open, signInAddresses, lastDay, lastAtMs } = row;
	const terms = termsOf(row);
	return {
		username,
		state: stateOf(row, atMs),
		terms,
		usedOfDay,
		usedOfMonth,
		usedOfTotal,
		signInAddresses: signInAddresses?.split(' ') ?? [],
		maySignInByAddress: row.isSignInAllowed === 1,
		openConnections: terms.limits.connections === null ? null : open,
		lastSeenAtMs: lastAtMs ?? (lastDay === null ? null : startOfDayMs(lastDay)),
	};
}
