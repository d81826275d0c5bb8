import { isLoopback } from '../loopback.ts';

/** The mail server of the operator, and how it is reached. */
export interface SmtpUrl {
	readonly host: string;
	readonly port: number;
	/** `tls`: from the first byte. `starttls`: before anything is said; without it, nothing is sent. `plain`: never. */
	readonly encryption: 'tls' | 'starttls' | 'plain';
	readonly user: string;
	readonly password: string;
	/** For messages: without the password. */
	readonly masked: string;
}

const FORM =
	/^(?<scheme>smtps?|smtp\+plain):\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<server>[^@/?#]+)\/?$/i;

const PORTS = { smtp: 587, smtps: 465, 'smtp+plain': 25 } as const;

/**
 * Reads `smtp://user:password@host:port`. Over `smtp` the connection must become encrypted before anything is said, unless
 * the server is on this machine. Throws an error that shows no part of it.
 */
export function parseSmtpUrl(text: string): SmtpUrl {
	const found = FORM.exec(text.trim())?.groups;
	if (!found) {
		throw new Error('it must be of the form smtp://user:password@host:port, smtps://host, or smtp+plain://host');
	}
	const scheme = found.scheme?.toLowerCase() as keyof typeof PORTS;
	const server = URL.canParse(`http://${found.server}`) ? new URL(`http://${found.server}`) : undefined;
	if (!server?.hostname) throw new Error('it has an invalid host or port');
	const host = server.hostname.replace(/^\[|\]$/g, '');
	const port = portOf(found.server as string) ?? PORTS[scheme];
	const user = decoded(found.user);
	const password = decoded(found.password);
	if ((user === '') !== (password === '')) throw new Error('it needs a user and a password, or neither');
	const encryption = encryptionOf(scheme, host);
	if (encryption === 'plain' && user !== '' && !isLoopback(host)) {
		throw new Error('a password must not be sent without encryption: take smtp:// or smtps://');
	}
	const masked = `${scheme}://${user === '' ? '' : `${user}:***@`}${server.hostname}:${port}`;
	return { host, port, encryption, user, password, masked };
}

/** A URL leaves out the port that is usual for its scheme. */
function portOf(server: string): number | undefined {
	const port = /:(\d{1,5})$/.exec(server)?.[1];
	return port === undefined ? undefined : Number(port);
}

function encryptionOf(scheme: keyof typeof PORTS, host: string): SmtpUrl['encryption'] {
	if (scheme === 'smtps') return 'tls';
	// A server on this machine has a certificate for another name, if it has one.
	return scheme === 'smtp+plain' || isLoopback(host) ? 'plain' : 'starttls';
}

function decoded(text = ''): string {
	try {
		return decodeURIComponent(text);
	} catch {
		throw new Error('its user or password is not encoded as in a URL: write % as %25');
	}
}
