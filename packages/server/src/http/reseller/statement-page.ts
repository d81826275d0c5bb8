import { hash } from 'node:crypto';
import { type Cursor, cursorText, isRewound } from '../../domain/cursor.ts';
import type { MovementReads, StoredMovement } from '../../store/tables/ledger/movements.ts';
import type { OldestMovements, WantedMovements } from './statement-requests.ts';

/**
 * How many rows one read of the store has: about a millisecond of an embedded one.
 * @bound Movements of a page that are read at once: the next step has the rest.
 */
const ROWS_IN_A_STEP = 100;
/**
 * A page ends after so many steps, however few rows it has: it looks at 100,000 movements at most.
 * @bound Steps of a page of the statement: the page ends, and the next one goes on.
 */
const STEPS_OF_A_PAGE = 10;

/** The next page goes on behind `next`. */
interface OldestFirst {
	readonly rows: readonly StoredMovement[];
	/** As readers keep it. */
	readonly next: string;
	/** Whether the statement goes on behind that place now. */
	readonly more: boolean;
}

/** The statement does not have what the reader has seen. */
export interface RewoundStatement {
	readonly refused: 'statement_rewound';
	/** The id of the newest movement; 0 if there is none yet. */
	readonly newest: number;
}

type Reads = Pick<MovementReads, 'followMovements' | 'findMovement'>;

/** Each step is a read of its own, so that others have their turns between. */
export async function readNewestFirst(
	store: Pick<MovementReads, 'listMovements'>,
	reseller: string,
	{ before, limit, ...wanted }: WantedMovements,
) {
	const rows: StoredMovement[] = [];
	let nextBefore: number | null = before;
	for (let step = 0; step < STEPS_OF_A_PAGE && nextBefore !== null && rows.length < limit; step++) {
		const most = Math.min(ROWS_IN_A_STEP, limit - rows.length);
		const found = await store.listMovements({ ...wanted, reseller, before: nextBefore, limit: most });
		rows.push(...found.rows);
		nextBefore = found.nextBefore;
	}
	return { rows, nextBefore };
}

/**
 * Movements behind a place. Of one reseller, they are committed in the order of their ids. So no movement appears behind a
 * place that a reader has passed.
 */
export async function readOldestFirst(
	store: Reads,
	reseller: string,
	{ after, limit, ...wanted }: OldestMovements,
): Promise<OldestFirst | RewoundStatement> {
	const rows: StoredMovement[] = [];
	let place: Cursor = after;
	let more = true;
	for (let step = 0; step < STEPS_OF_A_PAGE && more && rows.length < limit; step++) {
		const most = Math.min(ROWS_IN_A_STEP, limit - rows.length);
		const found = await store.followMovements({ ...wanted, reseller, after: place.number, limit: most });
		// Looked at after the rows: then they are not those of a store that was set back between the two.
		const { newest, guardAt } = await readPlace(store, reseller, place.number);
		if (isRewound(place, { newest, guardAt })) return { refused: 'statement_rewound', newest };
		rows.push(...found.rows);
		const last = found.rows.at(-1);
		const number = found.nextAfter ?? last?.number ?? place.number;
		if (last?.number === number) place = { number, guard: guardOf(last) };
		else if (number === place.number) place = { number, guard: guardAt || undefined };
		else place = { number, guard: (await readPlace(store, reseller, number)).guardAt || undefined };
		more = found.nextAfter !== null;
	}
	return { rows, next: cursorText(place), more };
}

/** Guards a place that has no movement: a guarded place always had one. */
const NONE = '';

async function readPlace(store: Reads, reseller: string, number: number) {
	const found = await store.findMovement(reseller, number);
	if (!found) throw new Error('an authenticated reseller has no account');
	return { newest: found.newest, guardAt: found.movement ? guardOf(found.movement) : NONE };
}

/** What a store that was set back does not have in another movement with the same id. It is not stored. */
function guardOf(movement: StoredMovement): string {
	const { kind, debit, credit, amountCents, atMs, requestId, debitBalanceCents, creditBalanceCents } = movement;
	const fields = [requestId, kind, debit, credit, amountCents, atMs, debitBalanceCents, creditBalanceCents];
	return hash('sha256', JSON.stringify(fields)).slice(0, 16);
}
