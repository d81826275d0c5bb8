import type { NewPair } from '@bursar/contract/dashboard';
import { readProxyUrl } from '@bursar/contract/proxy-url';
import { connectionUrl } from './connection.ts';
import { curlCommand } from './programs.ts';

/** The ways in which programs ask for a username and its proxy auth key. */
interface PairForms {
	readonly key: string;
	readonly userAndKey: string;
	/** `null` if it is not known where the proxy is. */
	readonly atProxy: { readonly url: string; readonly curl: string } | null;
}

export function pairForms({ username, proxy_authkey, proxy_url }: NewPair): PairForms {
	const proxy = proxy_url === null ? undefined : readProxyUrl(proxy_url);
	const connection = proxy && { proxy, username, password: proxy_authkey };
	return {
		key: proxy_authkey,
		userAndKey: `${username}:${proxy_authkey}`,
		atProxy: connection ? { url: connectionUrl(connection), curl: curlCommand(connection) } : null,
	};
}
