const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The address at which a payment can be paid, if a browser may go there: https, or this machine for tests. It comes from the
 * provider, so nothing else of it is trusted. `undefined` if there is none.
 */
export function payUrl(url: string | null): string | undefined {
	if (url === null || !URL.canParse(url)) return undefined;
	const { protocol, hostname, href } = new URL(url);
	const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
	return isSafe ? href : undefined;
}
