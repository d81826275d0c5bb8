import ipaddr from 'ipaddr.js';

/** An address as a number, to compare it with networks. */
export interface AddressValue {
	readonly family: 4 | 6;
	/** Of 32 or 128 bits. */
	readonly value: bigint;
}

/** `text` is a valid address in any form, without brackets. IPv4 in IPv6 is read as IPv4. */
export function addressValue(text: string): AddressValue {
	const address = ipaddr.process(text);
	const value = BigInt(`0x${Buffer.from(address.toByteArray()).toString('hex')}`);
	return { family: address.kind() === 'ipv4' ? 4 : 6, value };
}
