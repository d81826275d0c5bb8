import type { ReadLanes } from '../../reading.ts';
import { OPERATORS } from '../../reading.ts';
import { type Bind, statementOf } from '../../search.ts';

/**
 * Sums over the movements of all resellers, for operators. All are heavy. Each read throws `StoreUnavailableError` if the store
 * cannot be asked.
 */
export interface LedgerSumReads {
	/** What moved from a time to another one, which is not included, by kind. Both in Unix milliseconds. */
	sumMovements(span: TimeSpan): Promise<readonly MovementSum[]>;
	/**
	 * What the ledger says that all accounts hold, and what moved since `fromMs`, before `middleMs` and from then on. Both are
	 * of one moment.
	 */
	sumLedger(query: LedgerSumsQuery): Promise<LedgerSums>;
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

/**
 * How an engine finds the movements of a span of time without looking at all others: a further condition, which all of them
 * meet. It begins with `AND`, or is empty.
 */
export type NearMovements = (span: OpenSpan, bind: Bind) => string;

/** Without `toMs`, it goes on. */
type OpenSpan = Pick<TimeSpan, 'fromMs'> & Partial<TimeSpan>;

export function ledgerSumReads({ heavy }: ReadLanes, near: NearMovements): LedgerSumReads {
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
