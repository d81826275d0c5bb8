import type { UsageCorrection } from '../../domain/operators/usage-correction.ts';
import type { ResellerUsageDay } from '../../domain/usage.ts';
import { ROLE } from '../people/known-people.ts';
import { LIVE_SESSIONS, liveSessionsAt } from '../people/live-sessions.ts';
import { findPeople, listedPerson, PERSON_STATE, type PersonListRow } from '../people/person-reads.ts';
import type { SharedStatement } from '../people/person-rows.ts';
import { CORRECTION_COLUMNS, usageFound, usageOn } from '../usage/usage-corrections.ts';
import type {
	ActFilters,
	BusinessReads,
	CorrectionQuery,
	ListedResellerRow,
	PersonOfReseller,
	ResellerQuery,
	StoredAct,
	StoredRefusedReport,
	StoredVerification,
	UsageVerdictCount,
} from './business-reads.ts';
import { AFTER_ALL, anywhere, mayMatch, type NameRange, rangeCondition } from './name-range.ts';
import type { ListedPerson } from './operator-reads.ts';
import type { ReadLanes } from './read-lanes.ts';
import { filesOf, OPERATORS } from './read-owners.ts';
import { type Bind, pageOf, type RowSearch, type SearchStep, searchRows, statementOf } from './row-search.ts';
import { selectActs } from './shared-request-reads.ts';
import { LISTED } from './shared-sub-user-reads.ts';

/** The reads about resellers, people and the platform, for any engine. A search of acts by kind, and a sort, are heavy. */
export function sharedBusinessReads(lanes: ReadLanes, nowMs: () => number): BusinessReads {
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
