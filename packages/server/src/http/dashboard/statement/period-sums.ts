import type { MovementReads } from '../../../store/tables/ledger/movements.ts';
import type { StatementSum, StatementSums } from '../../../store/tables/ledger/statement-sums.ts';
import { keepNewest } from '../../server/keep-newest.ts';

/** @bound Sums of a statement that are kept, and as many balances: the oldest are forgotten. */
const MOST_KEPT = 1_000;
/**
 * @bound Steps of 10,000 movements that one call adds up, besides those of the newest movements: the next call goes
 * on.
 */
export const STEPS_OF_CALL = 20;
/** A failover may lose the newest movements, and others then get their numbers. So only older ones are kept in a sum. */
export const SETTLED_MS = 60_000;

type Reads = Pick<MovementReads, 'listMovements' | 'sumStatement'>;

/** Movements to add up: all of a reseller, or only those about one sub-user. `owner` is the owner of the read. */
interface SummedMovements {
	readonly reseller: string;
	/** Only movements to and from this sub-user, and the fees for it. */
	readonly username?: string | undefined;
	readonly owner: string;
}

/** Numbers of movements; `end` is not included. */
export interface MovementSpan {
	readonly first: number;
	readonly end: number;
}

/** What one call may do, and what it may keep. */
export interface SummingCall {
	/** Steps that are left. */
	left: number;
	/** Movements with smaller numbers are older than `SETTLED_MS`. */
	readonly settled: number;
}

/** A sum of all movements from a number on and before `reached`. */
interface KeptSum {
	readonly reached: number;
	readonly sums: StatementSums['sums'];
}

/** The balance before a movement, or the number before which it is still looked for. */
type KeptBalance = { readonly cents: number } | { readonly before: number };

/**
 * Adds up movements, and finds the balance before one. What is settled never changes, so what was added up is kept, and
 * goes on from the last number. The newest movements are added up anew by each call. Each read is a bounded step. Two calls at once may take the same step; neither counts
 * for the other.
 */
export function createPeriodSums(store: Reads) {
	const keptSums = new Map<string, KeptSum>();
	const keptBalances = new Map<string, KeptBalance>();

	/** The sums of a span; `undefined` if more steps are needed. */
	async function sum(of: SummedMovements, { first, end }: MovementSpan, call: SummingCall) {
		const longest = `${of.reseller} ${of.username ?? ''} ${first}`;
		// A shorter sum goes its own way. If both went on from one entry, each would throw away what the other has.
		const key = reachedOf(longest) > end ? `${longest} ${end}` : longest;
		let { reached, sums } = keptSums.get(key) ?? { reached: first, sums: [] };
		while (reached < end) {
			const isSettled = reached < call.settled;
			if (isSettled && call.left-- <= 0) return undefined;
			const before = isSettled ? Math.min(end, call.settled) : end;
			const step = await store.sumStatement({ ...of, from: reached, before });
			reached = step.next ?? before;
			sums = added(sums, step.sums);
			// Meanwhile, another call may have got further.
			if (isSettled && reached > reachedOf(key)) keepNewest(keptSums, key, { reached, sums }, MOST_KEPT);
		}
		return sums;
	}

	function reachedOf(key: string): number {
		return keptSums.get(key)?.reached ?? 0;
	}

	/** The reseller's balance before the movement with this number, in USD cents; `undefined` if more steps are needed. */
	async function balanceBefore({ reseller, owner }: SummedMovements, number: number, call: SummingCall) {
		const key = `${reseller} ${number}`;
		let kept: KeptBalance = keptBalances.get(key) ?? { before: number };
		while ('before' in kept) {
			if (call.left-- <= 0) return undefined;
			const query = { reseller, owner, isOwn: true, before: kept.before, limit: 1 };
			const { rows, nextBefore } = await store.listMovements(query);
			const [last] = rows;
			if (last)
				kept = { cents: (last.credit === reseller ? last.creditBalanceCents : last.debitBalanceCents) as number };
			else kept = nextBefore === null ? { cents: 0 } : { before: nextBefore };
			keepNewest(keptBalances, key, kept, MOST_KEPT);
		}
		if (number > call.settled) keptBalances.delete(key);
		return kept.cents;
	}

	return { sum, balanceBefore };
}

export type PeriodSums = ReturnType<typeof createPeriodSums>;

function added(sums: StatementSums['sums'], more: StatementSums['sums']): StatementSums['sums'] {
	const all = Map.groupBy([...sums, ...more], ({ kind, direction }) => `${kind} ${direction}`);
	return [...all.values()].map((parts) => parts.reduce(plus));
}

function plus(one: StatementSum, other: StatementSum): StatementSum {
	return { ...one, count: one.count + other.count, cents: one.cents + other.cents };
}
