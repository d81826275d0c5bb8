import type { NewPair } from '@bursar/contract/dashboard';

/** The ways in which programs ask for a username and its proxy auth key. */
interface PairForms {
	readonly key: string;
	readonly userAndKey: string;
	/** `null` if it is not known where the proxy is. */
	readonly proxyUrl: string | null;
}

export function pairForms({ username, proxy_authkey, proxy_host }: NewPair): PairForms {
	const url = `http://${encodeURIComponent(username)}:${encodeURIComponent(proxy_authkey)}@${proxy_host}`;
	return {
		key: proxy_authkey,
		userAndKey: `${username}:${proxy_authkey}`,
		proxyUrl: proxy_host === null ? null : url,
	};
}
