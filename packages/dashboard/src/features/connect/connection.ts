import type { NewPair } from '@bursar/contract/dashboard';
import { type ProxyUrl, readProxyUrl } from '@bursar/contract/proxy-url';

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

/** The ways in which programs ask for a username and its proxy auth key. */
interface PairForms {
	readonly key: string;
	readonly userAndKey: string;
	/** `null` if it is not known where the proxy is. */
	readonly proxyUrl: string | null;
}

export function pairForms({ username, proxy_authkey, proxy_url }: NewPair): PairForms {
	const proxy = proxy_url === null ? undefined : readProxyUrl(proxy_url);
	return {
		key: proxy_authkey,
		userAndKey: `${username}:${proxy_authkey}`,
		proxyUrl: proxy ? connectionUrl({ proxy, username, password: proxy_authkey }) : null,
	};
}
