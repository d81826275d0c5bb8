import type { UsageCorrection } from '../../../domain/operators/usage-correction.ts';
import type { CorrectedUsage } from '../../../domain/people/person-facts.ts';
import type { RefusedReport } from '../../../domain/refused-report.ts';
import type { ResellerUsageDay } from '../../../domain/usage.ts';
import { OPERATORS, quickReads, type ReadLanes } from '../../reading.ts';
import { statementOf } from '../../search.ts';
import type { SharedStatement } from '../../statement.ts';
import { CORRECTION_COLUMNS, usageFound, usageOn } from './corrections.ts';

/** What pages read of usage, of reports and of corrections. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface UsageReads {
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
	/** The reports that arrived from `firstDay` on, by UTC day and by what became of them. */
	listUsageVerdicts(firstDay: number): Promise<readonly UsageVerdictCount[]>;
	/** Refused reports that arrived since then, in Unix milliseconds, the newest first, `REFUSED_KEPT` at most. */
	listRefusedReports(sinceMs: number, limit: number): Promise<readonly StoredRefusedReport[]>;
	/**
	 * Corrections of bandwidth, the newest first: of all accounts, or of those of a reseller or of one account. `after`
	 * is the last one of the previous page.
	 */
	listUsageCorrections(query: CorrectionQuery): Promise<readonly UsageCorrection[]>;
	/**
	 * What an account and its reseller used on a UTC day, in days since 1970-01-01. `owner` of the read; default: the operators.
	 */
	findUsageOn(username: string, day: number, owner?: string): Promise<CorrectedUsage | undefined>;
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
	/** The owner of the read. Default: the reseller, or the operators for all accounts. */
	readonly owner?: string | undefined;
}

export interface UsageVerdictCount {
	/** The UTC day of arrival, in days since 1970-01-01. */
	readonly day: number;
	/** `counted`, `repeated`, or a `UsageRefusal`. */
	readonly verdict: string;
	readonly reports: number;
}

export function usageReads(lanes: ReadLanes): UsageReads {
	const read = quickReads(lanes);

	return {
		listResellerUsageDays: (reseller, firstDay, lastDay, owner = reseller) =>
			read<ResellerUsageDay>(
				owner,
				`SELECT reseller, day, bytes_up AS "bytesUp", bytes_down AS "bytesDown" FROM usage_reseller_days
				 WHERE reseller = $1 AND day BETWEEN $2 AND $3 ORDER BY day`,
				[reseller, firstDay, lastDay],
			),
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
		async findUsageOn(username, day, owner = OPERATORS) {
			const { sql, values } = usageOn(username, day);
			return usageFound(await read<object>(owner, sql, values));
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
