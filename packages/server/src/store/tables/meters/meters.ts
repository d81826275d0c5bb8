import type { Debt } from '../../../domain/debt.ts';
import type { Price, UsageCharge } from '../../../domain/metering.ts';
import type { SharedStatement } from '../../statement.ts';
import { compare } from '../../statement.ts';

/** Asks for what accounts owe, as `Due`, on any engine. A condition, and `IS_DUE`, are to follow. */
export const DUES = `SELECT reseller, username, price, micro_usd_per_gb AS "microUsdPerGb", settled_bytes AS "fromBytes",
	bytes - settled_bytes AS bytes, cost_cents - charged_cents - uncollected_cents AS cents, due_since_ms AS "sinceMs" FROM meters`;
export const IS_DUE = 'cost_cents > charged_cents + uncollected_cents';

/** Asks for what was settled, as `UsageCharge`, on any engine. */
export const CHARGES = `SELECT reseller, username, price, micro_usd_per_gb AS "microUsdPerGb", from_bytes AS "fromBytes", bytes,
	charged_cents + uncollected_cents AS cents, since_ms AS "sinceMs", at_ms AS "atMs", request_id AS "requestId" FROM usage_charges`;

/** Asks for present prices, as `Price`, on any engine. */
const CURRENT_PRICES = `SELECT reseller, number, micro_usd_per_gb AS "microUsdPerGb",
	metered_since_ms AS "meteredSinceMs", set_at_ms AS "setAtMs", request_id AS "requestId" FROM current_prices`;

export function settingPrices(prices: readonly Price[]): readonly SharedStatement[] {
	return prices.flatMap(settingPrice);
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

/** All accounts of these resellers were judged at these prices. */
export function endingJudgings(
	ended: readonly { readonly reseller: string; readonly price: number }[],
): readonly SharedStatement[] {
	return ended.map(({ reseller, price }) => ({
		sql: 'UPDATE prices SET is_judged = 1 WHERE reseller = $1 AND number <= $2 AND is_judged = 0',
		values: [reseller, price],
	}));
}

/** The accounts of the resellers are locked. */
export function settingDebts(debts: readonly Debt[]): readonly SharedStatement[] {
	return debts.map(settingDebt);
}

function settingDebt({ reseller, cents, lineCents }: Debt): SharedStatement {
	return {
		sql: `UPDATE accounts SET debt_cents = $1, debt_line_cents = $2 WHERE reseller = $3 AND username = $3`,
		values: [cents, lineCents, reseller],
		rows: 1,
	};
}

/** Meters are written in the order of their keys, as usage batches do. */
export function settlingCharges(charges: readonly UsageCharge[]): readonly SharedStatement[] {
	return charges.toSorted(byMeter).flatMap(settling);
}

/** Adds to what the meter has now: more may have been used since the due was loaded. */
function settling(charge: UsageCharge): readonly SharedStatement[] {
	const { reseller, username, price, bytes, cents } = charge;
	return [
		{
			sql: `UPDATE meters SET charged_cents = charged_cents + $1, settled_bytes = settled_bytes + $2, due_since_ms = $3
				WHERE reseller = $4 AND username = $5 AND price = $6`,
			values: [cents, bytes, charge.atMs, reseller, username, price],
			rows: 1,
		},
		{
			sql: `INSERT INTO usage_charges (reseller, username, price, micro_usd_per_gb, from_bytes, bytes, charged_cents,
				uncollected_cents, since_ms, at_ms, request_id) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9, $10)`,
			values: [
				...[reseller, username, price, charge.microUsdPerGb, charge.fromBytes, bytes, cents],
				...[charge.sinceMs, charge.atMs, charge.requestId],
			],
			rows: 1,
		},
	];
}

function byMeter(a: UsageCharge, b: UsageCharge): number {
	return compare(a.reseller, b.reseller) || compare(a.username, b.username) || a.price - b.price;
}

/** Finds the present prices of resellers. */
export function findingPrices(resellers: readonly string[]): readonly SharedStatement[] {
	return resellers.map((reseller) => ({ sql: `${CURRENT_PRICES} WHERE reseller = $1`, values: [reseller] }));
}
