import type { RefusedReason } from '@bursar/contract/dashboard';
import { OPERATORS, type ReadLanes } from '../../reading.ts';
import { type Bind, statementOf } from '../../search.ts';
import { type DaySpan, sumOf } from '../meters/costs.ts';
import { allResellers } from './names.ts';

/**
 * Whom the proxies refuse, over all resellers, for operators. It is what resellers were told of their sub-users, of which
 * there is an index (decision 0082). Each read is heavy, and throws `StoreUnavailableError` if the store cannot be asked.
 */
export interface RefusedReads {
	/** How many sub-users of each reseller are refused, by reason. */
	listRefused(): Promise<readonly RefusedCount[]>;
	/** Of these resellers (`ROWS_ON_A_PAGE` at most), by name. */
	readResellerFigures(query: FiguresQuery): Promise<ReadonlyMap<string, ResellerFigures>>;
}

export interface RefusedCount {
	readonly reseller: string;
	readonly reason: RefusedReason;
	readonly subUsers: number;
}

interface FiguresQuery extends DaySpan {
	readonly resellers: readonly string[];
}

export interface ResellerFigures {
	/** Bytes of the days, and of the last one, up and down together. */
	readonly bytes: number;
	readonly lastDayBytes: number;
	/** How many sub-users the proxies refuse. */
	readonly refusedSubUsers: number;
}

export function refusedReads({ heavy }: ReadLanes): RefusedReads {
	return {
		listRefused: async () => (await heavy({ owner: OPERATORS, statement: REFUSED })) as readonly RefusedCount[],
		async readResellerFigures(query) {
			if (query.resellers.length === 0) return new Map();
			const rows = await heavy({ owner: OPERATORS, statement: findFigures(query) });
			return new Map((rows as readonly FiguresRow[]).map(({ reseller, ...figures }) => [reseller, figures]));
		},
	};
}

type FiguresRow = ResellerFigures & { readonly reseller: string };

/** Why all sub-users of a reseller are refused, whose account is `own`; NULL if they are not. */
const OF_ALL = `CASE WHEN own.suspended_at_ms IS NOT NULL THEN 'reseller_suspended'
	WHEN own.debt_cents > own.debt_line_cents AND EXISTS (SELECT 1 FROM current_prices
		WHERE current_prices.reseller = own.reseller AND micro_usd_per_gb IS NOT NULL) THEN 'reseller_in_debt' END`;

/** How many sub-users of the reseller are refused, whose account is `own`. Its own account is never told of. */
export const REFUSED_SUB_USERS = `CASE WHEN ${OF_ALL} IS NULL
	THEN (SELECT count(*) FROM accounts WHERE accounts.reseller = own.reseller AND told_reason IS NOT NULL)
	ELSE (SELECT count(*) - 1 FROM accounts WHERE accounts.reseller = own.reseller) END`;

/** What all accounts of the reseller used, whose account is `own`: up and down together. */
export function usedByReseller({ firstDay, lastDay }: DaySpan, bind: Bind): string {
	return `(SELECT ${sumOf('bytes_up + bytes_down')} FROM usage_reseller_days AS days
		WHERE days.reseller = own.reseller AND day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)})`;
}

const REFUSED = statementOf(
	(bind) => `${allResellers(bind)},
		resellers AS (SELECT own.reseller, ${OF_ALL} AS reason, ${REFUSED_SUB_USERS} AS "subUsers"
			FROM found JOIN accounts AS own ON own.reseller = found.name AND own.username = found.name)
		SELECT * FROM resellers WHERE reason IS NOT NULL AND "subUsers" > 0
		UNION ALL SELECT accounts.reseller, told_reason, count(*)
		FROM resellers JOIN accounts ON accounts.reseller = resellers.reseller
		WHERE resellers.reason IS NULL AND told_reason IS NOT NULL GROUP BY accounts.reseller, told_reason`,
);

function findFigures({ resellers, ...days }: FiguresQuery) {
	return statementOf((bind) => {
		const names = resellers.map((name) => `(${bind(name)})`).join(', ');
		const { lastDay } = days;
		return `WITH found (name) AS (VALUES ${names})
			SELECT own.reseller, ${usedByReseller(days, bind)} AS bytes,
				${usedByReseller({ firstDay: lastDay, lastDay }, bind)} AS "lastDayBytes", ${REFUSED_SUB_USERS} AS "refusedSubUsers"
			FROM found JOIN accounts AS own ON own.reseller = found.name AND own.username = found.name`;
	});
}
