import type { NewPair } from '@bursar/contract/dashboard';
import { readProxyUrl } from '@bursar/contract/proxy-url';
import { connectionUrl } from '../connect/connection.ts';

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
