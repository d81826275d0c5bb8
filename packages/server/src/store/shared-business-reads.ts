import type { Bytes, ResellerUsageDay } from '../domain/usage.ts';
import {
	ACTS_IN_A_STEP,
	type BusinessReads,
	MOVEMENTS_IN_A_STEP,
	type PersonOfReseller,
	type SearchedPage,
	type StoredAct,
	type StoredVerification,
	type UsageSpan,
	type UsageVerdictCount,
} from './business-reads.ts';
import { LIVE_SESSIONS, liveSessionsAt } from './live-sessions.ts';
import { findMovements } from './movement-search.ts';
import { listedPerson, PERSON_STATE, type PersonListRow } from './person-reads.ts';
import type { SharedStatement } from './person-rows.ts';
import { OPERATORS, type ReadLanes } from './read-lanes.ts';
import { type SearchStep, searchRows, statementOf } from './row-search.ts';

/** How many accounts one statement adds up. */
const SUMMED_AT_ONCE = 50;

/** The quick reads of the business pages, for any engine. A search with filters is not quick. */
export function sharedBusinessReads(lanes: ReadLanes, nowMs: () => number): BusinessReads {
	const read = async <Row>(owner: string, sql: string, values: SharedStatement['values']) =>
		(await lanes.quick({ owner, statement: { sql, values } })) as readonly Row[];

	return {
		async findLowBalance(reseller) {
			const sql = 'SELECT low_balance_cents AS cents FROM low_balances WHERE reseller = $1';
			const [row] = await read<{ readonly cents: number }>(reseller, sql, [reseller]);
			return row?.cents ?? null;
		},
		listResellerUsageDays: (reseller, firstDay, lastDay) =>
			read<ResellerUsageDay>(
				reseller,
				`SELECT reseller, day, bytes_up AS "bytesUp", bytes_down AS "bytesDown" FROM usage_reseller_days
				 WHERE reseller = $1 AND day BETWEEN $2 AND $3 ORDER BY day`,
				[reseller, firstDay, lastDay],
			),
		async sumUsage(span) {
			const sums = new Map<string, Bytes>();
			for (let from = 0; from < span.usernames.length; from += SUMMED_AT_ONCE) {
				const usernames = span.usernames.slice(from, from + SUMMED_AT_ONCE);
				const statement = sumUsage({ ...span, usernames });
				const rows = (await lanes.quick({ owner: span.reseller, statement })) as readonly SumRow[];
				for (const { username, bytesUp, bytesDown } of rows) sums.set(username, { bytesUp, bytesDown });
			}
			return sums;
		},
		async listMovements({ before, ...query }) {
			return pageOf(await findMovements(lanes, { ...query, before, descends: true, step: MOVEMENTS_IN_A_STEP }));
		},
		async listAllActs({ person, kind, ...query }) {
			const of = person === undefined ? undefined : { column: 'person', value: person };
			const found = await searchRows<StoredAct>(lanes, {
				...query,
				owner: OPERATORS,
				table: { name: 'acts', number: 'number', of },
				filters: kind === undefined ? [] : [(bind) => `kind = ${bind(kind)}`],
				step: ACTS_IN_A_STEP,
				descends: true,
				select: (rows) =>
					`SELECT number, kind, target, address, at_ms AS "atMs", email, reseller
					 FROM (${rows}) AS page JOIN people ON people.id = page.person`,
			});
			return pageOf(found);
		},
		async listPeopleOf(reseller) {
			const sql = `SELECT email, ${PERSON_STATE},
				(SELECT max(last_seen_at_ms) FROM sessions WHERE person = people.id AND ${LIVE_SESSIONS}) AS "lastSeenAtMs"
				FROM people WHERE reseller = $5 ORDER BY email`;
			const rows = await read<PersonListRow<PersonOfReseller>>(reseller, sql, [...liveSessionsAt(nowMs()), reseller]);
			return rows.map((row) => listedPerson(row));
		},
		listUsageVerdicts: (firstDay) =>
			read<UsageVerdictCount>(
				OPERATORS,
				'SELECT day, verdict, reports FROM usage_verdicts WHERE day >= $1 ORDER BY day, verdict',
				[firstDay],
			),
		async findVerifications() {
			const [newest] = await read<StoredVerification>(OPERATORS, verification(''), []);
			const [ended] = await read<StoredVerification>(OPERATORS, verification('WHERE ended_at_ms IS NOT NULL'), []);
			return { ...(newest && { newest }), ...(ended && { ended }) };
		},
	};
}

type SumRow = Bytes & { readonly username: string };

function sumUsage({ reseller, usernames, firstDay, lastDay }: UsageSpan): SharedStatement {
	// The number of parameters does not change, so that an engine prepares one statement. No account has an empty name.
	const names = Array.from({ length: SUMMED_AT_ONCE }, (_, index) => usernames[index] ?? '');
	return statementOf(
		(
			bind,
		) => `SELECT username, CAST(sum(bytes_up) AS bigint) AS "bytesUp", CAST(sum(bytes_down) AS bigint) AS "bytesDown"
			FROM usage_days WHERE reseller = ${bind(reseller)} AND username IN (${names.map(bind).join(', ')})
			AND day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)} GROUP BY username`,
	);
}

function pageOf<Row>({ rows, next }: SearchStep<Row>): SearchedPage<Row> {
	return { rows, nextBefore: next?.number ?? null, searchedToMs: next?.atMs ?? null };
}

/** Two that were begun at once differ by their ids. */
function verification(condition: string): string {
	return `SELECT id, started_by AS by, started_at_ms AS "startedAtMs", noted_at_ms AS "notedAtMs",
		ended_at_ms AS "endedAtMs", done, steps, result FROM verifications ${condition}
		ORDER BY started_at_ms DESC, id DESC LIMIT 1`;
}
