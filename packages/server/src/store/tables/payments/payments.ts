import { MAX_WAITING_PAYMENTS } from '@bursar/contract/limits';
import { type PaymentFinding, WAITING_STATES } from '@bursar/contract/payments';
import type { ObjectName, Payment } from '../../../domain/payments/payment.ts';
import {
	type Columns,
	compare,
	type FoundRows,
	givenRows,
	type InsertedRows,
	type SharedStatement,
} from '../../statement.ts';

/** A payment as the store has it. */
export interface PaymentRow extends Omit<Payment, 'isLive' | 'findings'> {
	readonly isLive: 0 | 1;
	readonly findings: string;
}

export function paymentOfRow(row: PaymentRow): Payment {
	const findings = row.findings === '' ? [] : (row.findings.split(' ') as PaymentFinding[]);
	return { ...row, isLive: row.isLive === 1, findings };
}

const PAYMENTS: Columns<Payment> = {
	id: ['text', ({ id }) => id],
	reseller: ['text', ({ reseller }) => reseller],
	provider: ['text', ({ provider }) => provider],
	is_live: ['bigint', ({ isLive }) => Number(isLive)],
	amount_cents: ['bigint', ({ amountCents }) => amountCents],
	created_at_ms: ['bigint', ({ createdAtMs }) => createdAtMs],
	change_id: ['text', ({ changeId }) => changeId],
	object_id: ['text', ({ objectId }) => objectId],
	intent_id: ['text', ({ intentId }) => intentId],
	state: ['text', ({ state }) => state],
	settled_cents: ['bigint', ({ settledCents }) => settledCents],
	refunded_cents: ['bigint', ({ refundedCents }) => refundedCents],
	disputed_cents: ['bigint', ({ disputedCents }) => disputedCents],
	booked_cents: ['bigint', ({ bookedCents }) => bookedCents],
	postings: ['bigint', ({ postings }) => postings],
	findings: ['text', ({ findings }) => findings.join(' ')],
	page_url: ['text', ({ pageUrl }) => pageUrl],
	expires_at_ms: ['bigint', ({ expiresAtMs }) => expiresAtMs],
	read_at_ms: ['bigint', ({ readAtMs }) => readAtMs],
	failed_reads: ['bigint', ({ failedReads }) => failedReads],
	next_read_at_ms: ['bigint', ({ nextReadAtMs }) => nextReadAtMs],
	reads_begun: ['bigint', ({ readsBegun }) => readsBegun],
	last_read: ['bigint', ({ lastRead }) => lastRead],
};

/** What makes a payment never changes. */
const NEVER_CHANGED = ['id', 'reseller', 'provider', 'is_live', 'amount_cents', 'created_at_ms', 'change_id'];

const CHANGES = Object.keys(PAYMENTS)
	.filter((column) => !NEVER_CHANGED.includes(column))
	.map((column) => `${column} = excluded.${column}`);

/** The columns of a `PaymentRow`. */
export const PAYMENT_COLUMNS = Object.keys(PAYMENTS)
	.map((column) => `${column} AS "${column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}"`)
	.join(', ');

export function findingPayments(ids: readonly string[]): readonly FoundRows[] {
	const keys = givenRows(ids, { id: ['text', (id) => id] });
	return [{ table: 'payments', columns: PAYMENT_COLUMNS, keys }];
}

export function findingPaymentsOfObjects(objects: readonly ObjectName[]): readonly FoundRows[] {
	const keys = givenRows(objects, {
		provider: ['text', ({ provider }) => provider],
		object_id: ['text', ({ objectId }) => objectId],
	});
	return [{ table: 'payments', columns: PAYMENT_COLUMNS, keys }];
}

/** In SQL, as in the index of these payments. */
export const IS_WAITING = `state IN (${WAITING_STATES.map((state) => `'${state}'`).join(', ')})`;

/** Finds the newest payments of resellers that still wait for money: as many as may. The `+` keeps to the index of those. */
export function findingWaitingPayments(resellers: readonly string[]): readonly SharedStatement[] {
	const sql = `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE reseller = $1 AND ${IS_WAITING}
		ORDER BY +created_at_ms DESC LIMIT ${MAX_WAITING_PAYMENTS}`;
	return resellers.map((reseller) => ({ sql, values: [reseller] }));
}

/** Writes payments that are new or changed. The accounts of their resellers are locked. */
export function writingPayments(payments: readonly Payment[]): readonly InsertedRows[] {
	const rows = givenRows(
		payments.toSorted((a, b) => compare(a.id, b.id)),
		PAYMENTS,
	);
	return [{ into: 'payments', rows, onConflict: `ON CONFLICT (id) DO UPDATE SET ${CHANGES.join(', ')}` }];
}
