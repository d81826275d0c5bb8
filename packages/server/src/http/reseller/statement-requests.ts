import { isMovementReference, REFERENCE_MAX_LENGTH } from '@bursar/contract';
import type { FastifyRequest } from 'fastify';
import { type Cursor, readCursor } from '../../domain/cursor.ts';
import { startOfDayMs, usageDayOf } from '../../domain/usage.ts';
import { parseTimestamp } from '../../domain/usage-report.ts';
import { type Intake, type Refused, readBody } from './sub-user-request.ts';
import { limitOf, WRONG_AFTER, WRONG_LIMIT, wrong } from './terms-requests.ts';

/** Which movements the body names. Times are in Unix milliseconds; `toMs` is not included. */
interface MovementRange {
	readonly fromMs: number | undefined;
	readonly toMs: number | undefined;
	readonly reference: string | undefined;
	readonly limit: number;
}

/** The newest first: only movements with a smaller id. */
export type WantedMovements = MovementRange & { readonly before: number };
/** The oldest first: behind a place. */
export type OldestMovements = MovementRange & { readonly after: Cursor };

export function readStatementPageRequest(
	request: FastifyRequest,
	intake: Intake,
): WantedMovements | OldestMovements | Refused {
	const body = readBody(request, intake);
	if ('refused' in body) return body;
	const { order = 'newest', after = null, from, to, reference } = body.value;
	const limit = limitOf(body.value);
	if (limit === undefined) return WRONG_LIMIT;
	const isOldest = order === 'oldest';
	if (!isOldest && order !== 'newest') return wrong('order', 'must be newest or oldest');
	const [first, last] = [from, to].map((day) => (day === undefined ? undefined : dayIn(day)));
	if (first === null) return wrong('from', A_DAY);
	if (last === null) return wrong('to', A_DAY);
	if (reference !== undefined && !(typeof reference === 'string' && isMovementReference(reference)))
		return wrong('reference', `must be 1 to ${REFERENCE_MAX_LENGTH} visible ASCII characters without spaces`);
	const range = {
		fromMs: first === undefined ? undefined : startOfDayMs(first),
		toMs: last === undefined ? undefined : startOfDayMs(last + 1),
		reference,
		limit,
	};
	if (isOldest) {
		const place = typeof after === 'string' || typeof after === 'number' ? readCursor(String(after), GUARD_FORM) : null;
		if (after !== null && !place) return wrong('after', 'must be the next of the previous page, an id, or null');
		return { ...range, after: place ?? { number: 0 } };
	}
	if (after !== null && !(typeof after === 'string' && /^[1-9]\d{0,15}$/.test(after))) return WRONG_AFTER;
	return { ...range, before: after === null ? Number.MAX_SAFE_INTEGER : Number(after) };
}

const A_DAY = 'must be a UTC day like 2026-11-21';

/** The day in days since 1970-01-01, or `null` if there is no such day. */
function dayIn(value: unknown): number | null {
	if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null;
	const atMs = parseTimestamp(`${value}T00:00:00Z`);
	return atMs === undefined ? null : usageDayOf(atMs);
}

/** What guards a place in the statement, as `guardOf` makes it. */
const GUARD_FORM = /^[0-9a-f]{16}$/;
