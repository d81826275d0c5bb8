import { isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Answers } from './answers.ts';
import type { Exit } from './exit.ts';

export interface TunnelTo {
	/** A name or an address, without brackets. */
	readonly host: string;
	readonly port: number;
}

/**
 * `unreachable` and `timeout` are about the destination: the exit itself works. `not_served`: the exit has no traffic for us
 * now, whatever the destination.
 */
export type HandshakeEnd = 'opened' | 'unreachable' | 'timeout' | 'not_served';

/**
 * Asks an exit for a tunnel.
 *
 * @throws an error if the exit refuses us, speaks another protocol, or ends the connection
 */
export type Handshake = (socket: Socket, answers: Answers, exit: Exit, to: TunnelTo) => Promise<HandshakeEnd>;

const HEAD_END = '\r\n\r\n';
/** Payment Required and Too Many Requests. Proxies also answer 500 to 504 if a destination does not accept. */
const NOT_SERVED: ReadonlySet<number> = new Set([402, 429]);
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})[ \r]/;

/** CONNECT (RFC 9110, section 9.3.6). */
export async function openOverHttp(...[socket, answers, { credentials }, to]: Parameters<Handshake>) {
	const authority = isIP(to.host) === 6 ? `[${to.host}]:${to.port}` : `${to.host}:${to.port}`;
	const login = credentials && Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
	const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`];
	if (login) lines.push(`Proxy-Authorization: Basic ${login}`);
	socket.write(`${lines.join('\r\n')}${HEAD_END}`);
	const head = await answers.take((bytes) => {
		const end = bytes.indexOf(HEAD_END);
		return end === -1 ? undefined : end + HEAD_END.length;
	});
	const status = Number(STATUS_LINE.exec(head.toString('latin1'))?.[1] ?? 0);
	if (status < 200) throw new Error('the answer of the upstream proxy cannot be read');
	if (status === 407) throw new Error('the upstream proxy refuses the credentials of this proxy');
	if (status < 300) return 'opened';
	if (NOT_SERVED.has(status)) return 'not_served';
	return status === 504 ? 'timeout' : 'unreachable';
}

const VERSION = 5;
const NO_LOGIN = 0;
const WITH_PASSWORD = 2;
const CONNECT = 1;
const SUCCEEDED = 0;
const TTL_EXPIRED = 6;
/** How long an address is, by its type. The first byte of a name is its length. */
const HOST_BYTES = new Map<number, (firstByte: number) => number>([
	[1, () => 4],
	[3, (nameLength) => 1 + nameLength],
	[4, () => 16],
]);

/**
 * SOCKS5 (RFC 1928 and RFC 1929). If there are credentials, the exit must accept them: they may hold the options of the
 * client.
 */
export async function openOverSocks(...[socket, answers, { credentials }, to]: Parameters<Handshake>) {
	const method = credentials ? WITH_PASSWORD : NO_LOGIN;
	socket.write(Buffer.from([VERSION, 1, method]));
	const [version, chosen] = await answers.take(() => 2);
	if (version !== VERSION) throw new Error('the answer of the upstream proxy cannot be read');
	if (chosen !== method) throw new Error('the upstream proxy wants to know this proxy in another way');
	if (credentials) {
		socket.write(Buffer.concat([Buffer.from([1]), counted(credentials.username), counted(credentials.password)]));
		const [, status] = await answers.take(() => 2);
		if (status !== SUCCEEDED) throw new Error('the upstream proxy refuses the credentials of this proxy');
	}
	const port = Buffer.from([to.port >> 8, to.port & 0xff]);
	socket.write(Buffer.concat([Buffer.from([VERSION, CONNECT, 0]), socksHost(to.host), port]));
	const [replyVersion, reply, , type = 0] = await answers.take(replyLength);
	const isReadable = replyVersion === VERSION && (reply !== SUCCEEDED || HOST_BYTES.has(type));
	if (!isReadable) throw new Error('the answer of the upstream proxy cannot be read');
	if (reply === SUCCEEDED) return 'opened';
	return reply === TTL_EXPIRED ? 'timeout' : 'unreachable';
}

function counted(text: string): Buffer {
	const bytes = Buffer.from(text);
	return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

function socksHost(host: string): Buffer {
	const family = isIP(host);
	if (family === 0) return Buffer.concat([Buffer.from([3]), counted(host)]);
	return Buffer.from([family === 4 ? 1 : 4, ...ipaddr.parse(host).toByteArray()]);
}

/** A reply ends with an address of the exit, and its port. Of a failure, only the beginning is read. */
function replyLength(bytes: Buffer): number | undefined {
	const [version, reply, , type, firstByte] = bytes;
	if (version === undefined || reply === undefined) return undefined;
	if (version !== VERSION || reply !== SUCCEEDED) return 2;
	if (type === undefined || firstByte === undefined) return undefined;
	return 4 + (HOST_BYTES.get(type)?.(firstByte) ?? 0) + 2;
}
