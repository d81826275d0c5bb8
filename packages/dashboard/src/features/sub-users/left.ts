import type { PricePerGb } from '@bursar/contract/dashboard';

const BYTES_OF_GB = 1_000_000_000;
const MICRO_USD_OF_CENT = 10_000;

/** For how many bytes a balance in USD cents pays; `null` if bandwidth costs nothing. */
export function bytesLeft(balance: number, price: PricePerGb): number | null {
	return price === null ? null : Math.floor((balance * MICRO_USD_OF_CENT * BYTES_OF_GB) / price);
}

/** Whether an account that pays for bandwidth has nothing left, or less than a GB; `undefined` if neither. */
export function runsOut(balance: number, price: PricePerGb): 'ran_out' | 'low' | undefined {
	const left = bytesLeft(balance, price);
	if (left === null || left >= BYTES_OF_GB) return undefined;
	return left === 0 ? 'ran_out' : 'low';
}
