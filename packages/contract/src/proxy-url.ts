/** The protocols over which clients reach a proxy. */
export const PROXY_PROTOCOLS = ['http', 'https', 'socks5'] as const;
export type ProxyProtocol = (typeof PROXY_PROTOCOLS)[number];

/** Where a proxy listens. */
export interface ProxyAddress {
	/** Lowercase; an IPv6 address in brackets, as browsers write it. */
	readonly host: string;
	readonly port: number;
}

export interface ProxyUrl extends ProxyAddress {
	readonly protocol: ProxyProtocol;
}

const MAX_HOST_LENGTH = 253;

/**
 * Reads a URL like `http://proxy.example:3128`: a protocol, a host and a port, and nothing else. `undefined` if the text is
 * anything else. Without a port, programs do not agree on the default, so the port is required.
 */
export function readProxyUrl(text: string): ProxyUrl | undefined {
	const [, name = '', rest = ''] = /^([a-z0-9]+):\/\/([^/]*)\/?$/i.exec(text) ?? [];
	const protocol = PROXY_PROTOCOLS.find((known) => known === name.toLowerCase());
	const address = readProxyAddress(rest);
	return protocol && address && { protocol, ...address };
}

/**
 * Reads a host and a port, like `proxy.example:3128`, `10.0.0.1:3128` or `[2001:db8::1]:3128`. `undefined` if the text is
 * something else. Without `defaultPort`, the port must be there.
 */
export function readProxyAddress(text: string, defaultPort?: number): ProxyAddress | undefined {
	const [, name, ipv6, digits] = /^(?:([a-z0-9._-]+)|\[([0-9a-f:.]+)\])(?::([1-9]\d{0,4}))?$/i.exec(text) ?? [];
	const port = digits === undefined ? defaultPort : Number(digits);
	const host = name === undefined ? readIpv6(ipv6) : readHostName(name);
	if (host === undefined || port === undefined || port > 65_535) return undefined;
	return { host, port };
}

export function writeProxyUrl({ protocol, host, port }: ProxyUrl): string {
	return `${protocol}://${host}:${port}`;
}

/** A host name or an IPv4 address, in lowercase. */
function readHostName(text: string): string | undefined {
	const host = text.toLowerCase();
	const isName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host) && host.length <= MAX_HOST_LENGTH;
	// A URL reads some names as numbers: `10.1` means 10.0.0.1.
	return isName && hostInUrl(host) === host ? host : undefined;
}

function readIpv6(text: string | undefined): string | undefined {
	return text === undefined ? undefined : hostInUrl(`[${text}]`);
}

function hostInUrl(host: string): string | undefined {
	const url = `http://${host}`;
	return URL.canParse(url) ? new URL(url).hostname : undefined;
}
