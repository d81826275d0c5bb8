import type { Price, UsageCharge } from '../../domain/metering.ts';
import type { BatchChanges } from '../../domain/working-books.ts';
import type { SharedStatement } from '../people/person-rows.ts';
import { compare } from './given-rows.ts';

/** Asks for what accounts owe, as `Due`, on any engine. A condition, and `IS_DUE`, are to follow. */
export const DUES = `SELECT reseller, username, price, micro_usd_per_gb AS "microUsdPerGb", settled_bytes AS "fromBytes",
	bytes - settled_bytes AS bytes, cost_cents - charged_cents - uncollected_cents AS cents, due_since_ms AS "sinceMs" FROM meters`;
export const IS_DUE = 'cost_cents > charged_cents + uncollected_cents';

/** Asks for what was settled, as `UsageCharge`, on any engine. */
export const CHARGES = `SELECT reseller, username, price, micro_usd_per_gb AS "microUsdPerGb", from_bytes AS "fromBytes", bytes,
	charged_cents + uncollected_cents AS cents, charged_cents AS "chargedCents", uncollected_cents AS "uncollectedCents",
	since_ms AS "sinceMs", at_ms AS "atMs", request_id AS "requestId" FROM usage_charges`;

/** Asks for present prices, as `Price`, on any engine. */
export const CURRENT_PRICES = `SELECT reseller, number, micro_usd_per_gb AS "microUsdPerGb",
	metered_since_ms AS "meteredSinceMs", set_at_ms AS "setAtMs", request_id AS "requestId" FROM current_prices`;

/** Writes prices, and what was settled. Meters are written in the order of their keys, as usage batches do. */
export function meteringWrites({
	charges,
	prices,
}: Pick<BatchChanges, 'charges' | 'prices'>): readonly SharedStatement[] {
	if (charges.length === 0 && prices.length === 0) return [];
	return [...prices.flatMap(settingPrice), ...charges.toSorted(byMeter).flatMap(settling)];
}

function settingPrice(price: Price): readonly SharedStatement[] {
	const { reseller, number, microUsdPerGb, meteredSinceMs, setAtMs, requestId } = price;
	return [
		{
			sql: 'UPDATE prices SET replaced_at_ms = $1 WHERE reseller = $2 AND replaced_at_ms IS NULL',
			values: [setAtMs, reseller],
		},
		{
			sql: `INSERT INTO prices (reseller, number, micro_usd_per_gb, metered_since_ms, set_at_ms, request_id)
				VALUES ($1, $2, $3, $4, $5, $6)`,
			values: [reseller, number, microUsdPerGb, meteredSinceMs, setAtMs, requestId],
			rows: 1,
		},
	];
}

/** Adds to what the meter has now: more may have been used since the due was loaded. */
function settling(charge: UsageCharge): readonly SharedStatement[] {
	const { reseller, username, price, bytes, chargedCents, uncollectedCents } = charge;
	return [
		{
			sql: `UPDATE meters SET charged_cents = charged_cents + $1, uncollected_cents = uncollected_cents + $2,
				settled_bytes = settled_bytes + $3, due_since_ms = $4 WHERE reseller = $5 AND username = $6 AND price = $7`,
			values: [chargedCents, uncollectedCents, bytes, charge.atMs, reseller, username, price],
			rows: 1,
		},
		{
			sql: `INSERT INTO usage_charges (reseller, username, price, micro_usd_per_gb, from_bytes, bytes, charged_cents,
				uncollected_cents, since_ms, at_ms, request_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			values: [
				...[reseller, username, price, charge.microUsdPerGb, charge.fromBytes, bytes, chargedCents, uncollectedCents],
				...[charge.sinceMs, charge.atMs, charge.requestId],
			],
			rows: 1,
		},
	];
}

function byMeter(a: UsageCharge, b: UsageCharge): number {
	return compare(a.reseller, b.reseller) || compare(a.username, b.username) || a.price - b.price;
}
