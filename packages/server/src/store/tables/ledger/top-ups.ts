import type { TopUp } from '../../../domain/books.ts';
import { OPERATORS, quickReads, type ReadLanes } from '../../reading.ts';
import { type Columns, compare, type FoundRows, givenRows, type InsertedRows } from '../../statement.ts';

const TOP_UPS: Columns<TopUp> = {
	reference: ['text', ({ reference }) => reference],
	reseller: ['text', ({ reseller }) => reseller],
	amount_cents: ['bigint', ({ amountCents }) => amountCents],
	balance_cents: ['bigint', ({ balanceCents }) => balanceCents],
	request_id: ['text', ({ requestId }) => requestId],
	reason: ['text', ({ reason }) => reason],
	payment: ['text', ({ payment }) => payment],
};

/** Finds the first payments under references, as `TopUp`. */
export function findingTopUps(references: readonly string[]): readonly FoundRows[] {
	const columns = `reference, reseller, amount_cents AS "amountCents", balance_cents AS "balanceCents",
		request_id AS "requestId", reason, payment`;
	const keys = givenRows(references, { reference: ['text', (reference) => reference] });
	return [{ table: 'top_ups', columns, keys }];
}

export function addingTopUps(topUps: readonly TopUp[]): readonly InsertedRows[] {
	const rows = givenRows(
		topUps.toSorted((a, b) => compare(a.reference, b.reference)),
		TOP_UPS,
	);
	return [{ into: 'top_ups', rows }];
}

/** What operators read of top-ups. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface TopUpReads {
	/** The largest top-up of a reseller, in USD cents; `null` if there was none. For operators. */
	findLargestTopUp(reseller: string): Promise<number | null>;
}

export function topUpReads(lanes: ReadLanes): TopUpReads {
	const read = quickReads(lanes);

	return {
		async findLargestTopUp(reseller) {
			// Without the bound, money that was taken back counts as a negative top-up.
			const sql = `SELECT amount_cents AS cents FROM top_ups WHERE reseller = $1 AND amount_cents > 0
				ORDER BY amount_cents DESC LIMIT 1`;
			const [row] = await read<{ readonly cents: number }>(OPERATORS, sql, [reseller]);
			return row?.cents ?? null;
		},
	};
}
