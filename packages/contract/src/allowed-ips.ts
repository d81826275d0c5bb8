import ipaddr from 'ipaddr.js';
import { MAX_ALLOWED_IPS } from './limits.ts';

/** An address, and how many of its first bits name the network. */
type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/**
 * Addresses and networks in the one form in which they are stored: without repeats, bits behind the network cleared, IPv6
 * as RFC 5952 writes it, IPv4 in IPv6 as IPv4. `undefined` if there are none or too many, or if a text is neither.
 */
export function normalizeAllowedIps(texts: readonly string[]): readonly string[] | undefined {
	if (texts.length === 0 || texts.length > MAX_ALLOWED_IPS) return undefined;
	const networks = texts.map(normalizeAllowedIp);
	return networks.every((network) => network !== undefined) ? [...new Set(networks)] : undefined;
}

/** The same for one address or network. */
export function normalizeAllowedIp(text: string): string | undefined {
	const parsed = parseNetwork(text);
	if (!parsed) return undefined;
	const [address, bits] = parsed;
	const bytes = address.toByteArray().map((byte, index) => byte & clampedMask(bits - 8 * index));
	const network = ipaddr.fromByteArray(bytes);
	const first = network instanceof ipaddr.IPv6 ? network.toRFC5952String() : network.toString();
	return bits === 8 * bytes.length ? first : `${first}/${bits}`;
}

/** Whether one of the networks contains the address. No network contains an address that cannot be read. */
export function isAllowedAddress(networks: readonly string[], text: string): boolean {
	return allowedAddresses(networks)(text);
}

/** The same for many addresses: the networks are parsed once. */
export function allowedAddresses(texts: readonly string[]): (address: string) => boolean {
	const networks = texts.map(parseNetwork).filter((network) => network !== undefined);
	return (text) => {
		const address = parseAddress(text);
		if (!address) return false;
		return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
	};
}

/** Whether a list of networks, separated by commas, contains an address. */
export type AllowedLists = (list: string, address: string) => boolean;

/**
 * Parsing a list takes longer than a look into it, and a parsed list of 32 networks of IPv6 takes 12 kB. So only the lists
 * of the last looks stay parsed.
 */
export function createAllowedLists(most: number): AllowedLists {
	const read = new Map<string, (address: string) => boolean>();
	return (list, address) => {
		const isAllowed = read.get(list) ?? allowedAddresses(list.split(','));
		read.delete(list);
		read.set(list, isAllowed);
		const [oldest] = read.keys();
		if (read.size > most && oldest !== undefined) read.delete(oldest);
		return isAllowed(address);
	};
}

/** The bits of a byte that belong to a network, if this many bits are left from there on. */
function clampedMask(bits: number): number {
	if (bits >= 8) return 0xff;
	return bits <= 0 ? 0 : (0xff << (8 - bits)) & 0xff;
}

function parseNetwork(text: string): Network | undefined {
	const [written = '', bitsText, ...more] = text.split('/');
	const address = parseAddress(written);
	if (!address || more.length > 0) return undefined;
	const most = address.kind() === 'ipv4' ? 32 : 128;
	if (bitsText === undefined) return [address, most];
	if (!/^(?:0|[1-9]\d{0,2})$/.test(bitsText)) return undefined;
	// In IPv4 that is written as IPv6, bits are counted from the beginning of IPv6.
	const bits = Number(bitsText) - (written.includes(':') && most === 32 ? 96 : 0);
	return bits >= 0 && bits <= most ? [address, bits] : undefined;
}

/** Four decimal parts, or IPv6 without a zone. Programs read other forms of IPv4 in different ways. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
	if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
	if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
	// ipaddr.js reads octal parts behind a colon, and takes ::192.0.2.7 for an IPv4 address.
	const end = text.slice(text.lastIndexOf(':') + 1);
	if (end.includes('.') && (!ipaddr.IPv4.isValidFourPartDecimal(end) || text === `::${end}`)) return undefined;
	const address = ipaddr.IPv6.parse(text);
	return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}
