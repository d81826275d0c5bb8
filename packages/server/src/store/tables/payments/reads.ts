import { PAYMENTS_COUNTED } from '@bursar/contract/limits';
import { PAYMENT_PROVIDERS, type PaymentProviderName } from '@bursar/contract/payments';
import { FAILING_READS, MOST_WAIT_AGAIN_MS } from '../../../domain/payments/next-read.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { OPERATORS, quickReads, READING_PAYMENTS, type ReadLanes } from '../../reading.ts';
import { type Bind, statementOf } from '../../search.ts';
import { IS_WAITING, PAYMENT_COLUMNS, type PaymentRow, paymentOfRow } from './payments.ts';

/** What is read of payments through providers. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface PaymentReads {
	/** A payment with this id. `owner` of the read; default: operators. */
	findPayment(id: string, owner?: string): Promise<Payment | undefined>;
	/** A page of payments, the newest first, or against this order. `owner` of the read; default: its reseller, or operators. */
	listPayments(query: PaymentQuery): Promise<readonly Payment[]>;
	/** How many payments do not fit: of one reseller, or of those begun since a time. `PAYMENTS_COUNTED` at most. For operators. */
	countPaymentsWithFindings(of: { readonly reseller?: string | undefined; readonly sinceMs?: number }): Promise<number>;
	/** How many payments cannot be read, again and again. `PAYMENTS_COUNTED` at most. For operators. */
	countFailingPayments(nowMs: number): Promise<number>;
	/** The payments that a provider names by our own id, or by one of its own. */
	findPaymentsNamed(query: NamedQuery): Promise<readonly NamedPayment[]>;
	/** Payments that are to be read, those that wait longest first. */
	listDuePayments(query: DueQuery): Promise<readonly PaymentKey[]>;
	/** When the earliest read is due, in Unix milliseconds; `null` if none is. */
	findNextPaymentRead(mode: PaymentMode): Promise<number | null>;
	/** Until when it was listed what had changed at this provider, in Unix milliseconds; 0 if never. */
	readPaymentSweep(provider: PaymentProviderName): Promise<number>;
	/** When the first payment was made, in Unix milliseconds; `null` if there is none. */
	findFirstPayment(mode: PaymentMode): Promise<number | null>;
}

export type PaymentKey = Pick<Payment, 'id' | 'reseller'>;

type NamedPayment = PaymentKey & Pick<Payment, 'state'>;

export type PaymentPosition = Pick<Payment, 'createdAtMs' | 'id'>;

export interface PaymentQuery {
	/** `undefined`: of all resellers. */
	readonly reseller?: string | undefined;
	/** `waiting`: money is still expected; `past`: it is not. `findings`: something does not fit. Default: all. */
	readonly only?: keyof typeof ONLY | undefined;
	/** The last payment of the page before. */
	readonly before?: PaymentPosition | undefined;
	/** Whether the page is read against the order: what is newer than `before`, the oldest first. */
	readonly backwards?: boolean | undefined;
	readonly limit: number;
	readonly owner?: string | undefined;
}

interface NamedQuery {
	readonly provider: PaymentProviderName;
	readonly paymentId?: string | undefined;
	readonly objectIds: readonly string[];
	/** The owner of the read. Default: those who read payments at providers. */
	readonly owner?: string | undefined;
}

/** The payments that a service with the present key of a provider can read. */
interface PaymentMode {
	readonly provider: PaymentProviderName;
	readonly isLive: boolean;
}

interface DueQuery extends PaymentMode {
	readonly nowMs: number;
	readonly limit: number;
}

interface Moment {
	readonly atMs: number | null;
}

const ONLY = {
	waiting: IS_WAITING,
	past: `NOT ${IS_WAITING}`,
	findings: "findings <> ''",
} as const;

export function paymentReads(lanes: ReadLanes): PaymentReads {
	const read = quickReads(lanes);

	async function count(conditions: (bind: Bind) => readonly string[]): Promise<number> {
		const statement = statementOf((bind) => {
			const where = conditions(bind).join(' AND ');
			return `SELECT count(*) AS count FROM (SELECT 1 AS found FROM payments WHERE ${where} LIMIT ${PAYMENTS_COUNTED}) AS payments`;
		});
		const [row] = (await lanes.quick({ owner: OPERATORS, statement })) as readonly { readonly count: number }[];
		return row?.count ?? 0;
	}

	return {
		async findPayment(id, owner = OPERATORS) {
			const sql = `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE id = $1`;
			const [row] = await read<PaymentRow>(owner, sql, [id]);
			return row && paymentOfRow(row);
		},
		async listPayments({ reseller, only, before, backwards = false, limit, owner = reseller ?? OPERATORS }) {
			const [beyond, order] = backwards ? ['>', 'ASC'] : ['<', 'DESC'];
			const statement = statementOf((bind) => {
				const conditions = [
					'true',
					...(reseller === undefined ? [] : [`reseller = ${bind(reseller)}`]),
					...(only === undefined ? [] : [ONLY[only]]),
					...(before ? [`(created_at_ms, id) ${beyond} (${bind(before.createdAtMs)}, ${bind(before.id)})`] : []),
				];
				return `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE ${conditions.join(' AND ')}
					ORDER BY created_at_ms ${order}, id ${order} LIMIT ${bind(limit)}`;
			});
			const rows = (await lanes.quick({ owner, statement })) as readonly PaymentRow[];
			return rows.map(paymentOfRow);
		},
		countPaymentsWithFindings: ({ reseller, sinceMs }) =>
			count((bind) => [
				ONLY.findings,
				...(reseller === undefined ? [] : [`reseller = ${bind(reseller)}`]),
				...(sinceMs === undefined ? [] : [`created_at_ms >= ${bind(sinceMs)}`]),
			]),
		// What could not be read is read again soon, so only that is looked at.
		countFailingPayments: (nowMs) =>
			count((bind) => [
				`provider IN (${PAYMENT_PROVIDERS.map((name) => `'${name}'`).join(', ')}) AND is_live IN (0, 1)`,
				`next_read_at_ms <= ${bind(nowMs + MOST_WAIT_AGAIN_MS)}`,
				`failed_reads >= ${FAILING_READS}`,
			]),
		async findPaymentsNamed({ provider, paymentId, objectIds, owner = READING_PAYMENTS }) {
			const statement = statementOf((bind) => {
				const of = `SELECT id, reseller, state FROM payments WHERE provider = ${bind(provider)} AND`;
				const ids = objectIds.map((id) => bind(id)).join(', ');
				const parts = [
					...(paymentId === undefined ? [] : [`${of} id = ${bind(paymentId)}`]),
					...(ids === '' ? [] : [`${of} object_id IN (${ids})`, `${of} intent_id IN (${ids})`]),
				];
				return parts.join(' UNION ');
			});
			if (statement.sql === '') return [];
			return (await lanes.quick({ owner, statement })) as readonly NamedPayment[];
		},
		async listDuePayments({ provider, isLive, nowMs, limit }) {
			const sql = `SELECT id, reseller FROM payments WHERE provider = $1 AND is_live = $2 AND next_read_at_ms <= $3
				ORDER BY next_read_at_ms LIMIT $4`;
			return read<PaymentKey>(READING_PAYMENTS, sql, [provider, Number(isLive), nowMs, limit]);
		},
		async findNextPaymentRead({ provider, isLive }) {
			const sql = `SELECT min(next_read_at_ms) AS "atMs" FROM payments
				WHERE provider = $1 AND is_live = $2 AND next_read_at_ms IS NOT NULL`;
			const [row] = await read<Moment>(READING_PAYMENTS, sql, [provider, Number(isLive)]);
			return row?.atMs ?? null;
		},
		async readPaymentSweep(provider) {
			const sql = 'SELECT value FROM meta WHERE name = $1';
			const [row] = await read<{ readonly value: string }>(READING_PAYMENTS, sql, [`${provider}_swept_ms`]);
			return Number(row?.value ?? 0);
		},
		async findFirstPayment({ provider, isLive }) {
			const sql = `SELECT created_at_ms AS "atMs" FROM payments WHERE provider = $1 AND is_live = $2
				ORDER BY created_at_ms LIMIT 1`;
			const [row] = await read<Moment>(READING_PAYMENTS, sql, [provider, Number(isLive)]);
			return row?.atMs ?? null;
		},
	};
}
