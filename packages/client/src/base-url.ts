/** Removes slashes at the end. Throws a `TypeError` that never repeats the text, which may hold credentials. */
export function readBaseUrl(baseUrl: string | URL | undefined, allowInsecureHttp: boolean): string {
	if (baseUrl === undefined) throw new TypeError('baseUrl is missing: give it, or set BURSAR_URL');
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
		throw new TypeError('baseUrl must be an address that begins with https:// or http://');
	}
	if (url.username || url.password || /[?#]/.test(url.href)) {
		throw new TypeError('baseUrl must have no credentials, no query and no fragment');
	}
	if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowInsecureHttp) {
		throw new TypeError('baseUrl must begin with https://: plain http shows the token to the network');
	}
	return url.origin + url.pathname.replace(/\/+$/, '');
}

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
