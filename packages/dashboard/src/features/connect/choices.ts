import type { OfferedOption } from '@bursar/contract/dashboard';
import { isProxyOptionValue, MAX_PROXY_OPTIONS, type ProxyOptions } from '@bursar/contract/proxy-options';
import {
	PROXY_PROTOCOLS,
	type ProxyProtocol,
	type ProxyUrl,
	readProxyAddress,
	readProxyUrl,
} from '@bursar/contract/proxy-url';
import { hostAndPort } from './connection.ts';

/** A host and a port, like `proxy.example:3128`, and the protocols that it speaks. */
export interface OfferedAddress {
	readonly address: string;
	readonly protocols: readonly ProxyProtocol[];
}

/** The addresses of the operator's URLs, each once. */
export function offeredAddresses(urls: readonly string[]): readonly OfferedAddress[] {
	const protocols = new Map<string, ProxyProtocol[]>();
	for (const url of urls.map(readProxyUrl)) {
		if (!url) continue;
		const address = hostAndPort(url);
		protocols.set(address, [...(protocols.get(address) ?? []), url.protocol]);
	}
	return Array.from(protocols, ([address, spoken]) => ({ address, protocols: spoken }));
}

/** An address that was typed may speak any protocol. */
export function typedAddress(text: string): OfferedAddress {
	return { address: text.trim(), protocols: PROXY_PROTOCOLS };
}

/** The proxy at an address, by the wanted protocol if it speaks that. `undefined` if the address is none. */
export function proxyAt({ address, protocols }: OfferedAddress, wanted: ProxyProtocol): ProxyUrl | undefined {
	const read = readProxyAddress(address);
	const protocol = protocols.includes(wanted) ? wanted : protocols[0];
	return read && protocol && { protocol, ...read };
}

/** Values by the names of options, as they were typed. An empty one is not asked for. */
export type TypedOptions = ReadonlyMap<string, string>;

export function isWrongValue(text: string): boolean {
	return text !== '' && !isProxyOptionValue(text);
}

/** The options that are asked for, in the order in which they are offered; or why a password cannot have them. */
export function chosenOptions(
	offered: readonly OfferedOption[],
	typed: TypedOptions,
): ProxyOptions | 'wrong' | 'too_many' {
	const chosen = offered.map(({ name }) => [name, typed.get(name) ?? ''] as const).filter(([, value]) => value !== '');
	if (chosen.some(([, value]) => isWrongValue(value))) return 'wrong';
	return chosen.length > MAX_PROXY_OPTIONS ? 'too_many' : new Map(chosen);
}

const SESSION_CHARACTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const SESSION_LENGTH = 10;

/** A new value for `session`. It is no secret, but no other one is the same. */
export function newSession(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(SESSION_LENGTH));
	return Array.from(bytes, (byte) => SESSION_CHARACTERS[byte % SESSION_CHARACTERS.length]).join('');
}
