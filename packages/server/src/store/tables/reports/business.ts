import type { Role } from '@bursar/contract/dashboard';
import type { UsageCorrection } from '../../../domain/operators/usage-correction.ts';
import type { CorrectedUsage } from '../../../domain/people/person-facts.ts';
import type { RefusedReport } from '../../../domain/refused-report.ts';
import type { ResellerUsageDay } from '../../../domain/usage.ts';
import type { ReadLanes } from '../../read-lanes.ts';
import { filesOf, OPERATORS } from '../../read-lanes.ts';
import type { SearchedPage, SearchedRange } from '../../search.ts';
import { type Bind, pageOf, type RowSearch, type SearchStep, searchRows, statementOf } from '../../search.ts';
import type { SharedStatement } from '../../statement.ts';
import { AFTER_ALL, anywhere, mayMatch, type NameRange, rangeCondition } from '../accounts/names.ts';
import type { ListedAccount, RowPosition } from '../accounts/sub-users.ts';
import { LISTED } from '../accounts/sub-users.ts';
import { type StoredAct, selectActs } from '../changes/acts.ts';
import { ROLE } from '../people/known-people.ts';
import { LIVE_SESSIONS, liveSessionsAt } from '../people/live-sessions.ts';
import { findPeople, listedPerson, PERSON_STATE, type PersonListRow } from '../people/reads.ts';
import { CORRECTION_COLUMNS, usageFound, usageOn } from '../usage/corrections.ts';
import type { ListedPerson, PeopleQuery } from './operator.ts';

/**
 * What the dashboard's business pages read about resellers, their people and the platform. Each read throws
 * `StoreUnavailableError` if the store cannot be asked. Resellers take turns. The lane of each read depends on its statement (decision 0036).
 */
export interface BusinessReads {
	/** Below this balance, in USD cents, the reseller wants a warning; `null`: never. */
	findLowBalance(reseller: string): Promise<number | null>;
	/** Since when the reseller is suspended, in Unix milliseconds; `null` if it is not. `owner` is whose read it is, if not its own. */
	findSuspension(reseller: string, owner?: string): Promise<number | null>;
	/**
	 * What all accounts of the reseller used from `firstDay` to `lastDay`, in days since 1970-01-01. `owner` is whose read
	 * it is, if not the reseller's.
	 */
	listResellerUsageDays(
		reseller: string,
		firstDay: number,
		lastDay: number,
		owner?: string,
	): Promise<readonly ResellerUsageDay[]>;
	/** A page of the platform's resellers. */
	listResellersBy(query: ResellerQuery): Promise<readonly ListedResellerRow[]>;
	/** A step through acts for files, the oldest first. A step with a filter may find none. */
	searchActsAfter(
		query: ActsAfterQuery,
	): Promise<{ readonly rows: readonly StoredAct[]; readonly nextAfter: number | null }>;
	/** A page of acts. Looks at `ROWS_IN_A_STEP` of them at most. */
	searchActs(query: ActQuery): Promise<SearchedPage<StoredAct>>;
	/** The largest top-up of a reseller, in USD cents; `null` if there was none. For operators. */
	findLargestTopUp(reseller: string): Promise<number | null>;
	/** The people of a reseller, or the operators, by e-mail address. `owner` is whose read it is, if not the operators'. */
	listPeopleOf(reseller: string | null, owner?: string): Promise<readonly PersonOfReseller[]>;
	/** A page of all people, by e-mail address. For operators. */
	listPeople(query: PeopleQuery): Promise<readonly ListedPerson[]>;
	/** The reports that arrived from `firstDay` on, by UTC day and by what became of them. */
	listUsageVerdicts(firstDay: number): Promise<readonly UsageVerdictCount[]>;
	/** Refused reports that arrived since then, in Unix milliseconds, the newest first, `REFUSED_KEPT` at most. */
	listRefusedReports(sinceMs: number, limit: number): Promise<readonly StoredRefusedReport[]>;
	/**
	 * Corrections of bandwidth, the newest first: of all accounts, or of those of a reseller or of one account. `after`
	 * is the last one of the previous page.
	 */
	listUsageCorrections(query: CorrectionQuery): Promise<readonly UsageCorrection[]>;
	/** What an account and its reseller used on a UTC day, in days since 1970-01-01. For operators. */
	findUsageOn(username: string, day: number): Promise<CorrectedUsage | undefined>;
	/** The verification of the ledger that was begun last, and the last one that ended. */
	findVerifications(): Promise<{ readonly newest?: StoredVerification; readonly ended?: StoredVerification }>;
}

export interface StoredRefusedReport extends RefusedReport {
	/** When the last one arrived, in Unix milliseconds. */
	readonly arrivedAtMs: number;
	/** `null` if there is no such account. */
	readonly reseller: string | null;
}

interface CorrectionQuery {
	readonly reseller?: string | undefined;
	readonly username?: string | undefined;
	/** Of these UTC days. */
	readonly firstDay?: number | undefined;
	readonly lastDay?: number | undefined;
	readonly after?: Pick<UsageCorrection, 'atMs' | 'reference'> | undefined;
	readonly limit: number;
	/** Whose read it is, if not that of the reseller, or of the operators for all accounts. */
	readonly owner?: string | undefined;
}

export interface ActFilters {
	/**
	 * Only acts of this reseller: of its people and programs, and of operators about it. Then `emailPart` is looked for
	 * among its people only. Absent: all acts, for operators.
	 */
	readonly reseller?: string | undefined;
	/** A part of the e-mail address of a person, normalized. The acts of a person with a whole address are found quickly. */
	readonly emailPart?: string | undefined;
	readonly kind?: string | undefined;
}

interface ActQuery extends SearchedRange, ActFilters {}

export interface ActsAfterQuery extends Omit<SearchedRange, 'before'>, ActFilters {
	/** 0 for the first page. */
	readonly after: number;
}

export interface ResellerQuery {
	/** The beginning of the name. */
	readonly search: string;
	/** Never used counts as 0. */
	readonly by: 'name' | 'balance' | 'last_used' | 'created';
	readonly descends: boolean;
	/** `undefined` for the first page. */
	readonly after?: RowPosition | undefined;
	readonly limit: number;
}

export interface ListedResellerRow extends ListedAccount {
	/** Unix milliseconds; `null` if it is not suspended. */
	readonly suspendedAtMs: number | null;
	/** When one of its tokens was last used. */
	readonly lastUsedAtMs: number | null;
	/** What it owes, in USD cents. */
	readonly debtCents: number;
	/** The present price of bandwidth, in micro-dollars a GB; `null`: it costs nothing. */
	readonly microUsdPerGb: number | null;
}

export interface PersonOfReseller {
	readonly email: string;
	/** `null` for an operator. */
	readonly role: Role | null;
	readonly state: 'invited' | 'active' | 'locked';
	readonly secondFactor: boolean;
	readonly lastSeenAtMs: number | null;
}

export interface UsageVerdictCount {
	/** The UTC day of arrival, in days since 1970-01-01. */
	readonly day: number;
	/** `counted`, `repeated`, or a `UsageRefusal`. */
	readonly verdict: string;
	readonly reports: number;
}

export interface StoredVerification {
	readonly id: string;
	/** The e-mail address of an operator, or `operator` for the command line. */
	readonly by: string;
	readonly startedAtMs: number;
	/** When its progress was last noted. */
	readonly notedAtMs: number;
	readonly endedAtMs: number | null;
	readonly done: number;
	readonly steps: number;
	/** JSON of the contract's `LedgerVerification['result']`; `null` if it was not finished. */
	readonly result: string | null;
}

/** The reads about resellers, people and the platform, for any engine. A search of acts by kind, and a sort, are heavy. */
export function businessReads(lanes: ReadLanes, nowMs: () => number): BusinessReads {
	const read = async <Row>(owner: string, sql: string, values: SharedStatement['values']) =>
		(await lanes.quick({ owner, statement: { sql, values } })) as readonly Row[];

	return {
		async findLowBalance(reseller) {
			const sql = 'SELECT low_balance_cents AS cents FROM low_balances WHERE reseller = $1';
			const [row] = await read<{ readonly cents: number }>(reseller, sql, [reseller]);
			return row?.cents ?? null;
		},
		async findSuspension(reseller, owner = reseller) {
			const sql = 'SELECT suspended_at_ms AS "sinceMs" FROM accounts WHERE reseller = $1 AND username = $1';
			const [row] = await read<{ readonly sinceMs: number | null }>(owner, sql, [reseller]);
			return row?.sinceMs ?? null;
		},
		listResellerUsageDays: (reseller, firstDay, lastDay, owner = reseller) =>
			read<ResellerUsageDay>(
				owner,
				`SELECT reseller, day, bytes_up AS "bytesUp", bytes_down AS "bytesDown" FROM usage_reseller_days
				 WHERE reseller = $1 AND day BETWEEN $2 AND $3 ORDER BY day`,
				[reseller, firstDay, lastDay],
			),
		async listResellersBy(query) {
			if (!mayMatch(query.search)) return [];
			const lane = query.by === 'name' ? lanes.quick : lanes.heavy;
			return (await lane({ owner: OPERATORS, statement: listResellers(query) })) as readonly ListedResellerRow[];
		},
		async searchActs(query) {
			const { reseller: owner = OPERATORS } = query;
			return pageOf(await findActs(lanes, { ...query, owner, descends: true }));
		},
		async searchActsAfter(query) {
			const { reseller: owner = OPERATORS } = query;
			const heavyOnly = { quick: lanes.heavy, heavy: lanes.heavy };
			const { rows, next } = await findActs(heavyOnly, { ...query, owner: filesOf(owner), descends: false });
			return { rows, nextAfter: next?.number ?? null };
		},
		async findLargestTopUp(reseller) {
			// Without the bound, money that was taken back counts as a negative top-up.
			const sql = `SELECT amount_cents AS cents FROM top_ups WHERE reseller = $1 AND amount_cents > 0
				ORDER BY amount_cents DESC LIMIT 1`;
			const [row] = await read<{ readonly cents: number }>(OPERATORS, sql, [reseller]);
			return row?.cents ?? null;
		},
		async listPeopleOf(reseller, owner = OPERATORS) {
			const sql = `SELECT email, ${ROLE}, ${PERSON_STATE},
				(SELECT max(last_seen_at_ms) FROM sessions WHERE person = people.id AND ${LIVE_SESSIONS}) AS "lastSeenAtMs"
				FROM people WHERE ${reseller === null ? 'reseller IS NULL' : 'reseller = $5'} ORDER BY email`;
			const values = [...liveSessionsAt(nowMs()), ...(reseller === null ? [] : [reseller])];
			const rows = await read<PersonListRow<PersonOfReseller>>(owner, sql, values);
			return rows.map((row) => listedPerson(row));
		},
		async listPeople(query) {
			const { sql, values } = findPeople(query, nowMs());
			const rows = await read<PersonListRow<ListedPerson>>(OPERATORS, sql, values);
			return rows.map((row) => listedPerson(row));
		},
		listUsageVerdicts: (firstDay) =>
			read<UsageVerdictCount>(
				OPERATORS,
				'SELECT day, verdict, reports FROM usage_verdicts WHERE day >= $1 ORDER BY day, verdict',
				[firstDay],
			),
		listRefusedReports: (sinceMs, limit) =>
			read<StoredRefusedReport>(
				OPERATORS,
				`SELECT kind, source, usage_refusals.username, reason, name, at_ms AS "atMs", bytes_up AS "bytesUp",
					bytes_down AS "bytesDown", arrived_at_ms AS "arrivedAtMs", reports, usernames.reseller
				 FROM usage_refusals LEFT JOIN usernames ON usernames.username = usage_refusals.username
				 WHERE arrived_at_ms >= $1
				 ORDER BY arrived_at_ms DESC, kind, source, usage_refusals.username, reason LIMIT $2`,
				[sinceMs, limit],
			),
		listUsageCorrections(query) {
			const { sql, values } = listCorrections(query);
			const { owner = query.reseller ?? OPERATORS } = query;
			return read<UsageCorrection>(owner, sql, values);
		},
		async findUsageOn(username, day) {
			const { sql, values } = usageOn(username, day);
			return usageFound(await read<object>(OPERATORS, sql, values));
		},
		async findVerifications() {
			const [newest] = await read<StoredVerification>(OPERATORS, verification(''), []);
			const [ended] = await read<StoredVerification>(OPERATORS, verification('WHERE ended_at_ms IS NOT NULL'), []);
			return { ...(newest && { newest }), ...(ended && { ended }) };
		},
	};
}

function listCorrections({ reseller, username, firstDay, lastDay, after, limit }: CorrectionQuery): SharedStatement {
	return statementOf((bind) => {
		const conditions = [
			reseller !== undefined && `reseller = ${bind(reseller)}`,
			username !== undefined && `username = ${bind(username)}`,
			firstDay !== undefined && `day >= ${bind(firstDay)}`,
			lastDay !== undefined && `day <= ${bind(lastDay)}`,
			after && `(made_at_ms, reference) < (${bind(after.atMs)}, ${bind(after.reference)})`,
		].filter(Boolean);
		return `SELECT ${CORRECTION_COLUMNS} FROM usage_corrections
			${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
			ORDER BY made_at_ms DESC, reference DESC LIMIT ${bind(limit)}`;
	});
}

type ActSearch = Omit<RowSearch, 'table' | 'filters' | 'select'> & ActFilters;

/** Looks for acts, in one step. */
async function findActs(
	lanes: ReadLanes,
	{ reseller, emailPart, kind, ...search }: ActSearch,
): Promise<SearchStep<StoredAct>> {
	const person = emailPart === undefined ? undefined : await findOnly(lanes, { emailPart, reseller, ...search });
	const isOf = person === undefined ? reseller : person;
	const column = person === undefined ? 'reseller' : 'person';
	return searchRows<StoredAct>(lanes, {
		...search,
		table: { name: 'acts', number: 'number', of: isOf === undefined ? undefined : { column, value: isOf } },
		filters: [
			...(kind === undefined ? [] : [(bind: Bind) => `kind = ${bind(kind)}`]),
			...(emailPart === undefined || person !== undefined
				? []
				: [
						(bind: Bind) =>
							hasEmailPart(bind(anywhere(emailPart)), reseller === undefined ? undefined : bind(reseller)),
					]),
		],
		select: selectActs,
	});
}

/** The id of the only person who has, or had, this whole address: an index has the acts of each person. */
async function findOnly(
	{ quick }: ReadLanes,
	{
		owner,
		emailPart,
		reseller,
	}: Pick<RowSearch, 'owner'> & { readonly emailPart: string; readonly reseller?: string | undefined },
): Promise<string | undefined> {
	const statement = statementOf((bind) => {
		const isOf = `email = ${bind(emailPart)}${reseller === undefined ? '' : ` AND reseller = ${bind(reseller)}`}`;
		return `SELECT id FROM people WHERE ${isOf} UNION ALL SELECT id FROM removed_people WHERE ${isOf} LIMIT 2`;
	});
	const found = (await quick({ owner, statement })) as readonly { readonly id: string }[];
	return found.length === 1 ? found[0]?.id : undefined;
}

function hasEmailPart(pattern: string, reseller: string | undefined): string {
	const isOf = reseller === undefined ? '' : ` AND reseller = ${reseller}`;
	const of = (table: string) => `person IN (SELECT id FROM ${table} WHERE email LIKE ${pattern} ESCAPE '!'${isOf})`;
	return `(${of('people')} OR ${of('removed_people')})`;
}

/** Two that were begun at once differ by their ids. */
function verification(condition: string): string {
	return `SELECT id, started_by AS by, started_at_ms AS "startedAtMs", noted_at_ms AS "notedAtMs",
		ended_at_ms AS "endedAtMs", done, steps, result FROM verifications ${condition}
		ORDER BY started_at_ms DESC, id DESC LIMIT 1`;
}

const SORTED = {
	name: undefined,
	balance: '"balanceCents"',
	last_used: 'COALESCE("lastUsedAtMs", 0)',
	created: '"createdAtMs"',
} as const;

function listResellers({ search, by, descends, after, limit }: ResellerQuery): SharedStatement {
	const column = SORTED[by];
	const direction = descends ? ' DESC' : '';
	return statementOf((bind) => {
		// By name, only those of the page are looked up. Any other order needs all of them.
		const names = column
			? namesOfResellers({ prefix: search, descends: false }, bind)
			: namesOfResellers({ prefix: search, descends, after: after?.username }, bind, limit);
		const isBehind = descends ? '<' : '>';
		const condition =
			column && after ? `WHERE (${column}, username) ${isBehind} (${bind(after.value)}, ${bind(after.username)})` : '';
		const order = [...(column ? [column] : []), 'username'].map((each) => each + direction).join(', ');
		return `${names} SELECT * FROM (
				SELECT ${LISTED}, suspended_at_ms AS "suspendedAtMs",
					(SELECT max(last_used_at_ms) FROM tokens WHERE tokens.reseller = found.name) AS "lastUsedAtMs",
					(SELECT debt_cents FROM accounts WHERE reseller = found.name AND username = found.name) AS "debtCents",
					(SELECT micro_usd_per_gb FROM current_prices WHERE current_prices.reseller = found.name) AS "microUsdPerGb"
				FROM found JOIN live_accounts AS own ON own.reseller = found.name AND own.username = found.name) AS listed
			${condition} ORDER BY ${order} LIMIT ${bind(limit)}`;
	});
}

/** Finds the next reseller by looking behind the previous one. So the sub-users in between are not read. */
function namesOfResellers({ prefix, descends, after }: NameRange, bind: Bind, limit?: number): string {
	const first = (range: string) =>
		`(SELECT reseller FROM accounts WHERE ${range} ORDER BY reseller${descends ? ' DESC' : ''} LIMIT 1)`;
	const following = descends
		? `reseller >= ${bind(prefix)} AND reseller < found.name`
		: `reseller > found.name AND reseller < ${bind(prefix + AFTER_ALL)}`;
	return `WITH RECURSIVE found (name, rank) AS (
			SELECT ${first(rangeCondition('reseller', { prefix, descends, after }, bind))}, 1
			UNION ALL
			SELECT ${first(following)}, rank + 1 FROM found
			WHERE name IS NOT NULL${limit === undefined ? '' : ` AND rank < ${bind(limit)}`})`;
}
