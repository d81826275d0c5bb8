import ipaddr from 'ipaddr.js';

export interface ClientAddress {
	/** In its shortest form. */
	readonly text: string;
	/** Whose tries are counted together: the address, or its /64 for IPv6, which a single client can use up. */
	readonly network: string;
	/** What one client may have at most: the address, or its /48 for IPv6 (RFC 6177), which has 65,536 networks. */
	readonly site: string;
}

/** `undefined` if the text is no IP address. */
export function readAddress(text: string): ClientAddress | undefined {
	if (!ipaddr.isValid(text)) return undefined;
	const address = ipaddr.process(text);
	if (address instanceof ipaddr.IPv4) return sameForAll(address.toString());
	// Without its zone, which can be any text.
	const firstOf = (parts: number) => new ipaddr.IPv6(address.parts.map((part, n) => (n < parts ? part : 0))).toString();
	return { text: firstOf(8), network: `${firstOf(4)}/64`, site: `${firstOf(3)}/48` };
}

/** A client whose network and site are itself. */
export function sameForAll(text: string): ClientAddress {
	return { text, network: text, site: text };
}
