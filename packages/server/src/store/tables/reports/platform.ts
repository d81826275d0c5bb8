import type { ReadLanes } from '../../read-lanes.ts';
import { OPERATORS } from '../../read-lanes.ts';
import { type Bind, statementOf } from '../../search.ts';
import { pairState } from '../accounts/pair.ts';
import type { DaySpan } from '../meters/reads.ts';
import { COST } from '../meters/reads.ts';

/**
 * What operators read about the money of all resellers together. All are heavy. Each read throws `StoreUnavailableError` if
 * the store cannot be asked.
 */
export interface PlatformReads {
	/** What moved from a time to another one, which is not included, by kind. Both in Unix milliseconds. */
	sumMovements(span: TimeSpan): Promise<readonly MovementSum[]>;
	/**
	 * What the ledger says that all accounts hold, and what moved since `fromMs`, before `middleMs` and from then on. Both are
	 * of one moment.
	 */
	sumLedger(query: LedgerSumsQuery): Promise<LedgerSums>;
	/** What the accounts of each reseller hold, and what the bandwidth of these days costs them, by reseller. */
	listHoldings(query: HoldingsQuery): Promise<readonly Holdings[]>;
}

interface TimeSpan {
	readonly fromMs: number;
	readonly toMs: number;
}

interface LedgerSumsQuery {
	readonly fromMs: number;
	readonly middleMs: number;
}

export interface MovementSum {
	readonly kind: string;
	/** USD cents. */
	readonly cents: number;
	/** What all accounts together have more because of it; below zero if they have less. */
	readonly addedCents: number;
}

interface LedgerSums {
	/** USD cents, with what is due for bandwidth and not posted yet. */
	readonly heldCents: number;
	readonly before: readonly MovementSum[];
	readonly since: readonly MovementSum[];
}

/** What the accounts of a reseller hold. Amounts are USD cents, and balances live. */
interface HoldingsQuery extends DaySpan {
	/** Now, in Unix milliseconds. */
	readonly atMs: number;
}

export interface Holdings {
	readonly reseller: string;
	/** All of them together. */
	readonly heldCents: number;
	/** The reseller's own account. */
	readonly ownCents: number;
	/** How many sub-users are in the state `exhausted`. */
	readonly ranOutSubUsers: number;
	/** Below this balance the reseller wants a warning. */
	readonly lowBalanceCents: number | null;
	/** Since when its bandwidth is charged, in Unix milliseconds; `null` if it has no price. */
	readonly meteredSinceMs: number | null;
	/** Unix milliseconds. */
	readonly suspendedAtMs: number | null;
	readonly costCents: number;
}

/**
 * How an engine finds the movements of a span of time without looking at all others: a further condition, which all of them
 * meet. It begins with `AND`, or is empty.
 */
export type NearMovements = (span: OpenSpan, bind: Bind) => string;

/** Without `toMs`, it goes on. */
type OpenSpan = Pick<TimeSpan, 'fromMs'> & Partial<TimeSpan>;

/** The reads about the money of all resellers together, for any engine. */
export function platformReads({ heavy }: ReadLanes, near: NearMovements): PlatformReads {
	return {
		sumMovements: async (span) =>
			(await heavy({ owner: OPERATORS, statement: sumMovements(span, near) })) as readonly MovementSum[],
		async sumLedger(span) {
			const rows = (await heavy({ owner: OPERATORS, statement: sumLedger(span, near) })) as readonly LedgerRow[];
			const sums = (wanted: LedgerRow['part']) =>
				rows.filter(({ part }) => part === wanted).map(({ part: _, ...sum }): MovementSum => sum);
			const [held] = sums('held');
			if (!held) throw new Error('a sum without groups has one row');
			return { heldCents: held.cents, before: sums('before'), since: sums('since') } satisfies LedgerSums;
		},
		listHoldings: async (query) =>
			(await heavy({ owner: OPERATORS, statement: listHoldings(query) })) as readonly Holdings[],
	};
}

function movementsIn(span: OpenSpan, near: NearMovements, bind: Bind): string {
	const { fromMs, toMs } = span;
	const end = toMs === undefined ? '' : `AND at_ms < ${bind(toMs)}`;
	return `FROM transfers WHERE at_ms >= ${bind(fromMs)} ${end} ${near(span, bind)}`;
}

/** The platform's own sides of the ledger have no balance. */
const SUMS = `CAST(sum(amount_cents) AS bigint) AS cents,
	CAST(sum(CASE WHEN debit_balance_cents IS NULL THEN amount_cents ELSE 0 END
		- CASE WHEN credit_balance_cents IS NULL THEN amount_cents ELSE 0 END) AS bigint) AS "addedCents"`;

function sumMovements(span: TimeSpan, near: NearMovements) {
	return statementOf((bind) => `SELECT kind, ${SUMS} ${movementsIn(span, near, bind)} GROUP BY kind ORDER BY kind`);
}

interface LedgerRow extends MovementSum {
	readonly part: 'held' | 'before' | 'since';
}

/** In one statement, so that no movement is in one of both only. */
function sumLedger({ fromMs, middleMs }: LedgerSumsQuery, near: NearMovements) {
	return statementOf(
		(bind) => `SELECT 'held' AS part, '' AS kind, CAST(COALESCE(sum(balance_cents), 0) AS bigint) AS cents,
				0 AS "addedCents" FROM accounts
			UNION ALL
			SELECT CASE WHEN at_ms < ${bind(middleMs)} THEN 'before' ELSE 'since' END AS part, kind, ${SUMS}
			${movementsIn({ fromMs }, near, bind)} GROUP BY 1, 2`,
	);
}

function listHoldings({ firstDay, lastDay, atMs }: HoldingsQuery) {
	const sum = (values: string) => `CAST(sum(${values}) AS bigint)`;
	return statementOf((bind) => {
		const state = pairState({ reseller: 'account.reseller', atMs }, bind, 'exhausted');
		return `SELECT held.*, low_balance_cents AS "lowBalanceCents",
				CASE WHEN micro_usd_per_gb IS NOT NULL THEN metered_since_ms END AS "meteredSinceMs",
				COALESCE(cost, 0) AS "costCents"
			FROM (SELECT reseller, ${sum('balance_cents')} AS "heldCents",
					${sum('CASE WHEN username = reseller THEN balance_cents ELSE 0 END')} AS "ownCents",
					${sum(`CASE WHEN username <> reseller AND balance_cents <= 0 AND ${state} = 'exhausted' THEN 1 ELSE 0 END`)}
						AS "ranOutSubUsers",
					max(CASE WHEN username = reseller THEN suspended_at_ms END) AS "suspendedAtMs"
				FROM live_accounts AS account GROUP BY reseller) AS held
			LEFT JOIN low_balances ON low_balances.reseller = held.reseller
			LEFT JOIN current_prices ON current_prices.reseller = held.reseller
			LEFT JOIN (SELECT reseller, ${COST} AS cost FROM usage_reseller_days
				WHERE day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)} GROUP BY reseller) AS costs
				ON costs.reseller = held.reseller
			ORDER BY held.reseller`;
	});
}
