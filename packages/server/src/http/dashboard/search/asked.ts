import { normalizeAllowedIp } from '@bursar/contract/allowed-ips';
import { isChangeId } from '@bursar/contract/change-id';
import { isMovementReference } from '@bursar/contract/reference';
import { normalizeUsername } from '@bursar/contract/username';

/** What a text that was searched for may be. Only what it can be is looked for. */
export interface Asked {
	/** In lowercase, to be found as a part. */
	readonly part: string;
	/** As it was typed. */
	readonly exact: string;
	readonly username: string | undefined;
	/** An id of a payment through a provider, ours or the provider's. */
	readonly payment: string | undefined;
	/** The number of a movement. Operators may name the reseller before it. */
	readonly movement: { readonly reseller: string | undefined; readonly number: number } | undefined;
	readonly reference: string | undefined;
	readonly requestId: string | undefined;
	readonly changeId: string | undefined;
	/** The last four characters of a token or a key. */
	readonly tail: string | undefined;
	readonly address: string | undefined;
}

/** Like `1028`, `#1028`, `No. 1028` or `Nr. 1028`, or behind the name of a reseller. */
const MOVEMENT = /^(?:([a-z0-9._]{4,32})(?:\s+|(?=#)))?(?:#|n[or]\.?\s*)?([1-9]\d{0,14})$/;
/** Like `pay_4fQ9...`, or what a provider calls it. */
const PAYMENT_ID = /^[0-9A-Za-z_-]{8,200}$/;
const REQUEST_ID = /^(?:posting-)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Like `rGaU`, `…rGaU` or `brs_...rGaU`. */
const TAIL = /^(?:br[seo]_)?(?:\.{2,3}|…)?([0-9A-Za-z]{4})$/;

export function askedOf(typed: string): Asked {
	const exact = typed.trim();
	const part = exact.toLowerCase();
	return {
		part,
		exact,
		username: normalizeUsername(exact),
		payment: PAYMENT_ID.test(exact) ? exact : undefined,
		movement: movementOf(part),
		reference: isMovementReference(exact) ? exact : undefined,
		requestId: REQUEST_ID.test(part) ? part : undefined,
		changeId: isChangeId(exact) ? exact : undefined,
		tail: TAIL.exec(exact)?.[1],
		address: exact.includes('/') ? undefined : normalizeAllowedIp(exact),
	};
}

function movementOf(part: string): Asked['movement'] {
	const [, reseller, digits] = MOVEMENT.exec(part) ?? [];
	return digits === undefined ? undefined : { reseller, number: Number(digits) };
}

/** The address itself, and the networks that people usually allow with it, in the form in which they are stored. */
export function usualNetworks(address: string): readonly string[] {
	const bits = address.includes(':') ? [64, 56, 48] : [24];
	return [address, ...bits.map((count) => normalizeAllowedIp(`${address}/${count}`) ?? address)];
}
