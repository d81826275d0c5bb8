import ipaddr from 'ipaddr.js';

export interface ClientAddress {
	/** In its shortest form. */
	readonly text: string;
	/** Whose tries are counted together: the address, or its /64 for IPv6, which a single client can use up. */
	readonly network: string;
}

/** `undefined` if the text is no IP address. */
export function readAddress(text: string): ClientAddress | undefined {
	if (!ipaddr.isValid(text)) return undefined;
	const address = ipaddr.process(text);
	if (address instanceof ipaddr.IPv4) return { text: address.toString(), network: address.toString() };
	// Without its zone, which can be any text.
	const shortest = new ipaddr.IPv6(address.parts).toString();
	return { text: shortest, network: new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString() };
}
