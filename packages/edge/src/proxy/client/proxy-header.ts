import ipaddr from 'ipaddr.js';

/** What a load balancer says about a connection before the first byte of its client. */
export interface ProxyHeader {
	/** How many bytes the header has. The bytes of the client follow. */
	readonly length: number;
	/** The address of the client; IPv4 in IPv6 as IPv4. `undefined`: the connection is that of the load balancer itself. */
	readonly client: string | undefined;
}

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const FIXED_BYTES = 16;
/**
 * The fixed part, two addresses and some fields. With a name and an id, the header of haproxy has about 400 bytes.
 * @bound The header of a load balancer: with a longer one, the connection is closed.
 */
const MOST_BYTES = 536;
const VERSION_2 = 2;
const COMMANDS = { local: 0, proxy: 1 } as const;
const NO_FAMILY = 0;
/** How many bytes an address has in a header about TCP. Two ports follow the two addresses. */
const ADDRESS_BYTES: ReadonlyMap<number, number> = new Map([
	[0x11, 4],
	[0x21, 16],
]);

/**
 * Reads a header of the PROXY protocol, version 2, about TCP over IPv4 or IPv6, at the beginning of what has arrived on a
 * connection. Fields behind the addresses are skipped. A header of another kind, or one of more than 536 bytes, is
 * `invalid`.
 */
export function readProxyHeader(bytes: Buffer): ProxyHeader | 'incomplete' | 'invalid' {
	const begun = Math.min(bytes.length, SIGNATURE.length);
	if (bytes.compare(SIGNATURE, 0, begun, 0, begun) !== 0) return 'invalid';
	if (bytes.length < FIXED_BYTES) return 'incomplete';
	const [version, command] = [bytes.readUInt8(12) >> 4, bytes.readUInt8(12) & 0xf];
	const family = bytes.readUInt8(13);
	const length = FIXED_BYTES + bytes.readUInt16BE(14);
	if (version !== VERSION_2 || command > COMMANDS.proxy || length > MOST_BYTES) return 'invalid';
	const hasNoClient = command === COMMANDS.local || family === NO_FAMILY;
	const addressBytes = hasNoClient ? 0 : ADDRESS_BYTES.get(family);
	if (addressBytes === undefined || (!hasNoClient && length < FIXED_BYTES + 2 * addressBytes + 4)) return 'invalid';
	if (bytes.length < length) return 'incomplete';
	const address = bytes.subarray(FIXED_BYTES, FIXED_BYTES + addressBytes);
	return { length, client: hasNoClient ? undefined : addressText(address) };
}

function addressText(bytes: Buffer): string {
	const address = ipaddr.fromByteArray([...bytes]);
	if (address instanceof ipaddr.IPv4) return address.toString();
	return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toRFC5952String();
}
