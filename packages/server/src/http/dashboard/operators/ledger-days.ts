import type { TransferKind } from '../../../domain/ledger.ts';
import { startOfDayMs } from '../../../domain/usage.ts';
import type { LedgerSumReads, MovementSum } from '../../../store/tables/ledger/sums.ts';

/** What happened to the money of all accounts on a UTC day, by the ledger, in USD cents. */
export interface LedgerDay {
	/** In days since 1970-01-01. */
	readonly day: number;
	/** What all accounts had when it ended, or have now. */
	readonly heldCents: number;
	/** What moved, by kind. */
	readonly sums: readonly MovementSum[];
}

/** @bound UTC days before today whose sums are kept: older ones are forgotten. */
const KEPT_DAYS = 90;

export type ReadLedgerDays = ReturnType<typeof createLedgerDays>;

/**
 * Reads the days from `firstDay`, which is before today, to today. A day that ended a day ago can get no further movement, so
 * what moved on it is read once and kept. The last two days are read anew, in one moment with the balances, from which the days before are
 * reckoned back.
 */
export function createLedgerDays(store: LedgerSumReads) {
	const kept = new Map<number, readonly MovementSum[]>();

	async function sumsOf(day: number): Promise<readonly MovementSum[]> {
		const known = kept.get(day);
		if (known) return known;
		const sums = await store.sumMovements({ fromMs: startOfDayMs(day), toMs: startOfDayMs(day + 1) });
		kept.set(day, sums);
		return sums;
	}

	return async (firstDay: number, today: number): Promise<readonly LedgerDay[]> => {
		for (const day of kept.keys()) if (day < today - KEPT_DAYS) kept.delete(day);
		const closed: (readonly MovementSum[])[] = [];
		for (let day = firstDay; day < today - 1; day++) closed.push(await sumsOf(day));
		const { heldCents, before, since } = await store.sumLedger({
			fromMs: startOfDayMs(today - 1),
			middleMs: startOfDayMs(today),
		});
		return reckonedBack([...closed, before, since], heldCents, firstDay);
	};
}

/** What moved on the day in transfers of this kind, in USD cents. */
export function sumOfKind({ sums }: LedgerDay, kind: TransferKind): number {
	return sums.find((sum) => sum.kind === kind)?.cents ?? 0;
}

/** `heldCents` is what all accounts have after the last day. */
function reckonedBack(days: readonly (readonly MovementSum[])[], heldCents: number, firstDay: number): LedgerDay[] {
	let atEndCents = heldCents;
	return days
		.map((sums, index) => ({ day: firstDay + index, sums }))
		.toReversed()
		.map(({ day, sums }) => {
			const found = { day, heldCents: atEndCents, sums };
			atEndCents -= sums.reduce((sum, { addedCents }) => sum + addedCents, 0);
			return found;
		})
		.toReversed();
}
