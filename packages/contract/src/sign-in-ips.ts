import ipaddr from 'ipaddr.js';
import { normalizeAllowedIp } from './allowed-ips.ts';
import { MAX_SIGN_IN_IPS } from './limits.ts';

/** No client comes from such an address, or each machine has it. */
const REFUSED_RANGES: ReadonlySet<string> = new Set([
	...['unspecified', 'broadcast', 'multicast', 'linkLocal', 'loopback', 'ipv4Mapped'],
]);

/**
 * From where a sub-user signs in, in the form in which everybody reads it: addresses, and networks /64 of IPv6, as
 * `normalizeAllowedIp` writes them, in the order of their keys. Repeats are left out, and so is an address in a network of the
 * list. `undefined` if there are too many, or if a text is something else.
 */
export function normalizeSignInIps(texts: readonly string[]): readonly string[] | undefined {
	if (texts.length > MAX_SIGN_IN_IPS) return undefined;
	const ips = texts.map(normalizeSignInIp);
	if (!ips.every((ip) => ip !== undefined)) return undefined;
	const keys = new Set(ips.map(signInKey));
	const kept = [...keys].filter((key) => isNetworkKey(key) || !keys.has(networkKey(key)));
	return kept.sort().map(signInIp);
}

/** The same for one address or network. */
export function normalizeSignInIp(text: string): string | undefined {
	const ip = normalizeAllowedIp(text);
	if (ip === undefined) return undefined;
	const [first = '', bits] = ip.split('/');
	const address = ipaddr.parse(first);
	const isClients = bits === undefined || (bits === '64' && address.kind() === 'ipv6');
	return isClients && !REFUSED_RANGES.has(address.range()) ? ip : undefined;
}

/**
 * The text by which such an address is found. That of a /64 and those of the addresses in it begin with the same characters,
 * as `keyRange` has them. PostgreSQL reads it as an address.
 */
export function signInKey(ip: string): string {
	const [first = '', bits] = ip.split('/');
	const address = ipaddr.parse(first);
	if (address instanceof ipaddr.IPv4) return first;
	const key = address.parts.map((part) => part.toString(16).padStart(4, '0')).join(':');
	return bits === undefined ? key : networkKey(key);
}

/** The address of a key, as everybody reads it. */
export function signInIp(key: string): string {
	return normalizeAllowedIp(key) ?? key;
}

/** The keys under which a client signs in: that of its address and, with IPv6, that of its /64. None if it cannot be read. */
export function signInKeysOf(client: string): readonly string[] {
	const ip = normalizeAllowedIp(client);
	if (ip === undefined) return [];
	const key = signInKey(ip);
	return key.includes(':') ? [key, networkKey(key)] : [key];
}

/** Whether it is the key of a /64. */
export function isNetworkKey(key: string): boolean {
	return key.endsWith(NETWORK_END);
}

/** The key of the /64 of an address with this key. No key of IPv4 has such a form. */
export function networkKey(key: string): string {
	return key.slice(0, NETWORK_CHARACTERS) + NETWORK_END;
}

/** The keys of a /64 and of the addresses in it, and no others, are from `from` on and before `before`. */
export function keyRange(keyOfNetwork: string): { readonly from: string; readonly before: string } {
	const network = keyOfNetwork.slice(0, NETWORK_CHARACTERS);
	return { from: `${network}:`, before: `${network};` };
}

/** Four groups of four digits, and the colons between them. */
const NETWORK_CHARACTERS = 19;
const NETWORK_END = '::/64';
