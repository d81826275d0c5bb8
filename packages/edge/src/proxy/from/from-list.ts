import { normalizeAllowedIp } from '@bursar/contract/allowed-ips';
import ipaddr from 'ipaddr.js';
import { addressValue } from '../target/address-value.ts';

/** An outgoing address, or a network out of which one is drawn. */
export interface ListedAddress {
	/** In the form of `normalizeAllowedIp`. */
	readonly text: string;
	readonly family: 4 | 6;
	/** The first address that may be drawn, as a number. */
	readonly first: bigint;
	/** How many addresses may be drawn. */
	readonly size: bigint;
}

/** @bound Outgoing addresses and networks: the proxy does not start with more. */
const MAX_ENTRIES = 256;
/** A larger network is a slip: its addresses would all count as this machine. */
const LEAST_BITS = 8;
/** Of these, no connection to the Internet can leave, or not without a zone. */
const NO_SENDER: ReadonlySet<string> = new Set(['unspecified', 'multicast', 'broadcast', 'linkLocal']);

/** Reads addresses and networks with commas between them. An error names the number of the entry. */
export function readFromList(text: string): readonly ListedAddress[] {
	const words = text.split(',').map((word) => word.trim());
	if (words.length > MAX_ENTRIES) throw new Error(`it names more than ${MAX_ENTRIES} addresses and networks`);
	return words.map((word, index) => {
		const network = normalizeAllowedIp(word);
		const listed = network === undefined ? undefined : listedOf(network);
		if (listed) return listed;
		throw new Error(`entry ${index + 1} must be an address, or a network of at least ${LEAST_BITS} bits`);
	});
}

/**
 * A network has no address of its own: the first and the last one of IPv4 are the network and its broadcast, and the first
 * one of IPv6 is that of its routers.
 */
function listedOf(text: string): ListedAddress | undefined {
	const [written = '', bitsText] = text.split('/');
	const { family, value } = addressValue(written);
	const all = family === 4 ? 32 : 128;
	const bits = Number(bitsText ?? all);
	if (bits < LEAST_BITS || NO_SENDER.has(ipaddr.parse(written).range())) return undefined;
	const size = 1n << BigInt(all - bits);
	if (size <= 2n) return { text, family, first: value, size };
	return { text, family, first: value + 1n, size: size - (family === 4 ? 2n : 1n) };
}

/** One of its addresses, as RFC 5952 writes it. The same number gives the same address. */
export function addressIn({ family, first, size }: ListedAddress, random: bigint): string {
	const hex = (first + (random % size)).toString(16).padStart(family === 4 ? 8 : 32, '0');
	const address = ipaddr.fromByteArray([...Buffer.from(hex, 'hex')]);
	return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
}

export function holdsAddress({ family, first, size }: ListedAddress, address: string): boolean {
	const asked = addressValue(address);
	return asked.family === family && asked.value >= first && asked.value < first + size;
}
