import type { MovementKind, MovementTotal, PeriodSummary, StatementPeriods } from '@bursar/contract/dashboard';
import type { MovementReads } from '../../../store/tables/ledger/movements.ts';
import type { StatementSum } from '../../../store/tables/ledger/statement-sums.ts';
import type { Reply } from '../calls/call.ts';
import { time, timeOrNull } from '../calls/times.ts';
import { type MovementSpan, type PeriodSums, SETTLED_MS, STEPS_OF_CALL, type SummingCall } from './period-sums.ts';

interface PeriodsOf {
	readonly reseller: string;
	/** Only movements of this sub-user, normalized. */
	readonly username: string | undefined;
	/** Where the periods begin and end, in Unix milliseconds: each later than the one before. */
	readonly boundsMs: readonly number[];
	/** The owner of the read. */
	readonly owner: string;
}

interface PeriodsDependencies {
	readonly store: Pick<MovementReads, 'findFirstMovement' | 'findMovementAt' | 'findUnposted'>;
	readonly sums: PeriodSums;
	readonly nowMs: () => number;
}

/**
 * What happened to the reseller's balance in each period. The newest period is added up first. A period is a span of
 * numbers, and the next one begins where it ends. So balances follow from each other also if the clock was set back.
 */
export async function readPeriods(
	{ boundsMs, ...of }: PeriodsOf,
	{ store, sums, nowMs }: PeriodsDependencies,
): Promise<Reply<StatementPeriods>> {
	const { reseller, owner } = of;
	const [begunMs, unposted] = await Promise.all([
		store.findFirstMovement(reseller, owner),
		store.findUnposted({ reseller, username: reseller, owner }),
	]);
	const numbers: number[] = [];
	// One after the other: each number is the same or larger than the one before.
	for (const atMs of boundsMs) numbers.push(await store.findMovementAt({ reseller, atMs, owner }));
	const settled = await store.findMovementAt({ reseller, atMs: nowMs() - SETTLED_MS, owner });
	const call = { left: STEPS_OF_CALL, settled };
	const summaries: (PeriodSummary | null)[] = [];
	for (let index = numbers.length - 2; index >= 0; index--) {
		const span = { first: numbers[index] as number, end: numbers[index + 1] as number };
		summaries.unshift(await summaryOf(of, span, sums, call));
	}
	return {
		data: {
			begun: timeOrNull(begunMs ?? null),
			not_posted: unposted?.cents ?? 0,
			periods: summaries.map((summary, index) => ({
				...{ from: time(boundsMs[index] as number), to: time(boundsMs[index + 1] as number), summary },
			})),
		},
	};
}

async function summaryOf(
	of: Omit<PeriodsOf, 'boundsMs'>,
	span: MovementSpan,
	sums: PeriodSums,
	call: SummingCall,
): Promise<PeriodSummary | null> {
	const totals = (await sums.sum(of, span, call))?.map(totalOf);
	if (!totals) return null;
	if (of.username !== undefined) return { opening: null, closing: null, totals: totals.map(fromSubUser), ...span };
	const opening = await sums.balanceBefore(of, span.first, call);
	const closing = await sums.balanceBefore(of, span.end, call);
	if (opening === undefined || closing === undefined) return null;
	const change = totals.reduce((sum, { of: changed, amount }) => (changed === 'balance' ? sum + amount : sum), 0);
	if (opening + change !== closing) throw new Error('the movements of a period do not lead from balance to balance');
	return { opening, closing, totals, ...span };
}

function totalOf({ kind, direction, count, cents }: StatementSum): MovementTotal {
	const amount = Number(direction === 'in' || kind === 'debt_forgiven' ? cents : -cents);
	if (!Number.isSafeInteger(amount)) throw new Error('a total is too large to be exact');
	return { kind: kind as MovementKind, of: CHANGED[direction], count, amount };
}

const CHANGED = { in: 'balance', out: 'balance', sub_user: 'sub_users', debt: 'debt' } as const;

/** What the reseller gave came to the sub-user, and what it took left it. */
function fromSubUser(total: MovementTotal): MovementTotal {
	return total.kind === 'give' || total.kind === 'take' ? { ...total, amount: -total.amount } : total;
}
