import { OPERATORS, type ReadLanes } from '../../reading.ts';
import { statementOf } from '../../search.ts';
import { type DaySpan, ROUGH_COST } from '../meters/costs.ts';

/** What resellers hold, for operators. The read is heavy. It throws `StoreUnavailableError` if the store cannot be asked. */
export interface HoldingReads {
	/** What the accounts of each reseller hold, and what the bandwidth of these days costs them, by reseller. */
	listHoldings(query: DaySpan): Promise<readonly Holdings[]>;
}

/** Amounts are USD cents, and balances live. */
export interface Holdings {
	readonly reseller: string;
	/** All of them together. */
	readonly heldCents: number;
	/** The reseller's own account. */
	readonly ownCents: number;
	/** Below this balance the reseller wants a warning. */
	readonly lowBalanceCents: number | null;
	/** Since when its bandwidth is charged, in Unix milliseconds; `null` if it has no price. */
	readonly meteredSinceMs: number | null;
	/** Unix milliseconds. */
	readonly suspendedAtMs: number | null;
	readonly costCents: number;
}

export function holdingReads({ heavy }: ReadLanes): HoldingReads {
	return {
		listHoldings: async (query) =>
			(await heavy({ owner: OPERATORS, statement: listHoldings(query) })) as readonly Holdings[],
	};
}

function listHoldings({ firstDay, lastDay }: DaySpan) {
	const sum = (values: string) => `CAST(sum(${values}) AS bigint)`;
	return statementOf((bind) => {
		return `SELECT held.*, low_balance_cents AS "lowBalanceCents",
				CASE WHEN micro_usd_per_gb IS NOT NULL THEN metered_since_ms END AS "meteredSinceMs",
				COALESCE(cost, 0) AS "costCents"
			FROM (SELECT reseller, ${sum('balance_cents')} AS "heldCents",
					${sum('CASE WHEN username = reseller THEN balance_cents ELSE 0 END')} AS "ownCents",
					max(CASE WHEN username = reseller THEN suspended_at_ms END) AS "suspendedAtMs"
				FROM live_accounts GROUP BY reseller) AS held
			LEFT JOIN low_balances ON low_balances.reseller = held.reseller
			LEFT JOIN current_prices ON current_prices.reseller = held.reseller
			LEFT JOIN (SELECT reseller, ${ROUGH_COST} AS cost FROM usage_reseller_days
				WHERE day BETWEEN ${bind(firstDay)} AND ${bind(lastDay)} GROUP BY reseller) AS costs
				ON costs.reseller = held.reseller
			ORDER BY held.reseller`;
	});
}
