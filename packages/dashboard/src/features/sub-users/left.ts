import type { PricePerGb } from '@bursar/contract/dashboard';

const BYTES_OF_GB = 1_000_000_000;
const MICRO_USD_OF_CENT = 10_000;

/** For how many bytes a balance in USD cents pays; `null` if bandwidth costs nothing. */
export function bytesLeft(balance: number, price: PricePerGb): number | null {
	return price === null ? null : Math.floor((balance * MICRO_USD_OF_CENT * BYTES_OF_GB) / price);
}

/** Whether a balance pays for something, but for less than a GB. */
export function isLow(balance: number, price: PricePerGb): boolean {
	const left = bytesLeft(balance, price);
	return left !== null && left > 0 && left < BYTES_OF_GB;
}
