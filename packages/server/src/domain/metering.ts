// What bandwidth costs (docs/decisions/0061-metering.md). Money below one cent is counted in units, so that nothing is
// rounded away: a byte at a price of one micro-dollar a GB costs one unit.

import { MAX_PRICE_MICRO_USD } from '@bursar/contract/limits';

const BYTES_OF_GB = 1_000_000_000;
const MICRO_USD_OF_CENT = 10_000;
/** 10^13. */
export const UNITS_OF_CENT = MICRO_USD_OF_CENT * BYTES_OF_GB;

/** What a GB (10^9 bytes, up and down together) costs the accounts of a reseller. */
export interface Price {
	readonly reseller: string;
	/** 1, 2, 3...: the number in the price history of the reseller. */
	readonly number: number;
	/** Micro-dollars. `null`: bandwidth costs nothing, and balances do not limit it. */
	readonly microUsdPerGb: number | null;
	/** What was used before this time is never charged, in Unix milliseconds. A change of the price keeps it. */
	readonly meteredSinceMs: number;
	readonly setAtMs: number;
	/** The request that set it. */
	readonly requestId: string;
}

/** A price under which bytes are charged. */
export type ChargedPrice = Pick<Price, 'reseller' | 'number' | 'meteredSinceMs'> & { readonly microUsdPerGb: number };

/** An exact amount of money. */
export interface Cost {
	/** USD cents. */
	readonly cents: number;
	/** Units below one cent, 0 to `UNITS_OF_CENT` - 1. */
	readonly rest: number;
}

export const NO_COST: Cost = { cents: 0, rest: 0 };

/** Whether a GB may cost this many micro-dollars. */
export function isPrice(microUsdPerGb: number): boolean {
	return Number.isSafeInteger(microUsdPerGb) && microUsdPerGb >= 1 && microUsdPerGb <= MAX_PRICE_MICRO_USD;
}

/** What so many bytes cost, exactly. */
export function costOf(bytes: number, microUsdPerGb: number): Cost {
	const units = BigInt(bytes) * BigInt(microUsdPerGb);
	return { cents: Number(units / BigInt(UNITS_OF_CENT)), rest: Number(units % BigInt(UNITS_OF_CENT)) };
}

/**
 * After how many more bytes nothing is left of a balance. `restUnits` is what the account has used at this price beyond
 * whole cents. 0 if nothing is left now.
 */
export function bytesLeft(liveCents: number, restUnits: number, microUsdPerGb: number): number {
	const units = BigInt(liveCents) * BigInt(UNITS_OF_CENT) - BigInt(restUnits);
	if (units <= 0n) return 0;
	const price = BigInt(microUsdPerGb);
	const bytes = (units + price - 1n) / price;
	return bytes > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(bytes);
}

/** What an account owes for the bandwidth that it used under one price since this was last settled. */
export interface Due {
	readonly reseller: string;
	readonly username: string;
	/** The number of the price. */
	readonly price: number;
	readonly microUsdPerGb: number;
	/** The bytes that were settled before. */
	readonly fromBytes: number;
	/** The bytes since then, up and down together. */
	readonly bytes: number;
	/** USD cents, at least 1. */
	readonly cents: number;
	/** Since when something is due, in Unix milliseconds. */
	readonly sinceMs: number;
}

/** A due that is settled. It is kept for ever, and the ledger has its cents in entries of the same request. */
export interface UsageCharge extends Due {
	/** Unix milliseconds. */
	readonly atMs: number;
	readonly requestId: string;
}

/** Bandwidth that was settled in the transaction of a command. */
export interface SettledUsage {
	readonly reseller: string;
	readonly username: string;
	/** The kind of the command. */
	readonly by: string;
	/** USD cents that the balance of the account paid. */
	readonly paidCents: number;
	/** USD cents that it did not cover. The reseller owes them. */
	readonly debtCents: number;
	/** Whether this took the last of its balance. */
	readonly ranOut: boolean;
}

export function sumOf(dues: readonly Due[]): number {
	return dues.reduce((sum, { cents }) => sum + cents, 0);
}

/** The balance that everybody reads, in USD cents: what the ledger has, less what is due. Never below zero. */
export function liveCentsOf(balanceCents: number, dues: readonly Due[]): number {
	return dues.length === 0 ? balanceCents : Math.max(0, balanceCents - sumOf(dues));
}
