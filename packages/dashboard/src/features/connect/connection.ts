import type { ProxyUrl } from '@bursar/contract/proxy-url';

/** How a program signs in to a proxy. */
export interface Connection {
	readonly proxy: ProxyUrl;
	readonly username: string;
	/** The key, and behind it the options. */
	readonly password: string;
}

/** The URL of the proxy with the credentials. Some programs want another name of the protocol. */
export function connectionUrl({ proxy, username, password }: Connection, protocol: string = proxy.protocol): string {
	const credentials = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
	return `${protocol}://${credentials}@${hostAndPort(proxy)}`;
}

/** `HOST:PORT:USER:PASSWORD`, as many programs read it. An IPv6 address is in brackets. */
export function colonForm({ proxy, username, password }: Connection): string {
	return `${hostAndPort(proxy)}:${username}:${password}`;
}

export function hostAndPort({ host, port }: Pick<ProxyUrl, 'host' | 'port'>): string {
	return `${host}:${port}`;
}
