/** A host and a port that a client wants to reach. */
export interface Authority {
	/** As a browser would read it: names in lower case, addresses in their usual form, without brackets. */
	readonly host: string;
	/** 1 to 65535. */
	readonly port: number;
	/** Host and port, as `Host` has them. */
	readonly text: string;
}

/** Programs read a host with other characters, or with a separator, in different ways. So it is refused. */
const PLAIN = /^[!-~]+$/;
const SEPARATOR = /[@/?#\\]/;

/**
 * Reads `HOST` or `HOST:PORT`, with IPv6 addresses in brackets. `undefined` if the text is neither. The default port is 80.
 */
export function readAuthority(text: string): Authority | undefined {
	if (!PLAIN.test(text) || SEPARATOR.test(text)) return undefined;
	const url = URL.parse(`http://${text}`);
	const port = url ? Number(url.port || 80) : 0;
	if (!url || port === 0) return undefined;
	return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port, text: url.host };
}
