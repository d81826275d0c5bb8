import { isIPv6 } from 'node:net';
import type { ClientConnection } from '../client/client-connection.ts';
import { endOnFault } from '../end-on-fault.ts';
import { openWay } from '../open-way.ts';
import type { RefusalReason } from '../refusals.ts';
import type { ProxyPair, Router, Way } from '../route.ts';
import { type Authority, readAuthority } from '../target/authority.ts';
import { type ByteReader, ClientEnded, createByteReader } from './byte-reader.ts';
import {
	ADDRESS_TYPES,
	addressText,
	BY_NOTHING,
	BY_PASSWORD,
	CHOOSE_NOTHING,
	CHOOSE_PASSWORD,
	CONNECT,
	NO_METHOD,
	PASSWORD_GOOD,
	PASSWORD_VERSION,
	PASSWORD_WRONG,
	replyMessage,
	SOCKS_VERSION,
	type SocksReply,
} from './messages.ts';

/** Clients that speak SOCKS5: CONNECT with a username and a password, or by the address of the client. */
export interface SocksSide {
	/** Serves a client whose first byte is that of SOCKS5. */
	serve(connection: ClientConnection): void;
	readonly stats: { tunnels: number };
}

export interface SocksSideOptions {
	readonly router: Router;
	readonly idleMs: number;
}

/** @bound A client signs in and names its destination over SOCKS5: then its connection is closed. */
const HANDSHAKE_MS = 10_000;
/** These refusals answer the sign-in. Others answer the request for a destination, as "not allowed". */
const WRONG_SIGN_IN: ReadonlySet<RefusalReason> = new Set(['wrong_pair', 'throttled']);
const REPLY_TO: Partial<Record<RefusalReason, SocksReply>> = {
	unresolvable: 'host_unreachable',
	no_outgoing_address: 'host_unreachable',
	unavailable: 'failed',
	no_room: 'failed',
};

export function createSocksSide({ router, idleMs }: SocksSideOptions): SocksSide {
	const stats = { tunnels: 0 };

	async function serve(connection: ClientConnection): Promise<void> {
		stats.tunnels++;
		const { socket } = connection;
		socket.setTimeout(idleMs);
		connection.begin();
		const late = setTimeout(() => connection.cut('refused'), HANDSHAKE_MS);
		const refuse = (message: Buffer): undefined => {
			connection.endsBecause('refused');
			socket.end(message);
			connection.endSoon();
		};
		// A client that ends during the handshake needs no answer.
		const reader = createByteReader(socket);
		const way = await shakeHands(connection, reader, refuse)
			.catch((cause) => {
				socket.destroy();
				if (!(cause instanceof ClientEnded)) throw cause;
			})
			.finally(() => {
				reader.end();
				clearTimeout(late);
			});
		if (!way || socket.destroyed) return;
		openWay(connection, way, {
			opened: () => void socket.write(replyMessage('succeeded')),
			failed: ({ code }) => refuse(replyMessage(code === 'ECONNREFUSED' ? 'refused' : 'host_unreachable')),
		});
	}

	/** `undefined`: the client was refused. Rejects if the client ends. */
	async function shakeHands(
		connection: ClientConnection,
		reader: ByteReader,
		refuse: (message: Buffer) => undefined,
	): Promise<Way | undefined> {
		const { socket } = connection;
		const [, methodCount = 0] = await reader.read(2);
		const methods = await reader.read(methodCount);
		// A client that offers both may have a password. Then only that counts, also if it is wrong.
		const isByPassword = methods.includes(BY_PASSWORD);
		if (!isByPassword && !methods.includes(BY_NOTHING)) return refuse(NO_METHOD);
		if (isByPassword) socket.write(CHOOSE_PASSWORD);
		const pair = isByPassword ? await readPair(reader) : undefined;
		if (isByPassword && !pair) return refuse(PASSWORD_WRONG);
		const refused = await router.signIn(connection, pair);
		if (refused === 'no_pair') return refuse(NO_METHOD);
		if (pair && refused && WRONG_SIGN_IN.has(refused)) return refuse(PASSWORD_WRONG);
		socket.write(pair ? PASSWORD_GOOD : CHOOSE_NOTHING);
		const asked = await readConnect(reader);
		if (typeof asked === 'string') return refuse(replyMessage(asked));
		const way = refused ?? (await router.wayTo(connection, pair?.password ?? '', asked));
		return typeof way === 'string' ? refuse(replyMessage(REPLY_TO[way] ?? 'not_allowed')) : way;
	}

	return { serve: (connection) => endOnFault(connection.socket, serve(connection)), stats };
}

/** `undefined`: the message has another version. */
async function readPair(reader: ByteReader): Promise<ProxyPair | undefined> {
	const [version, nameLength = 0] = await reader.read(2);
	if (version !== PASSWORD_VERSION) return undefined;
	const username = (await reader.read(nameLength)).toString();
	const [passwordLength = 0] = await reader.read(1);
	return { username, password: (await reader.read(passwordLength)).toString() };
}

/** The destination that the client names, or the reply if it cannot be read. */
async function readConnect(reader: ByteReader): Promise<Authority | SocksReply> {
	const [version, command, , type] = await reader.read(4);
	const host = await readHost(reader, type);
	if (version !== SOCKS_VERSION || host === undefined) return 'address_not_supported';
	const port = (await reader.read(2)).readUInt16BE();
	if (command !== CONNECT) return 'command_not_supported';
	return readAuthority(`${isIPv6(host) ? `[${host}]` : host}:${port}`) ?? 'not_allowed';
}

/** `undefined`: the type of the address, and so its length, is unknown. */
async function readHost(reader: ByteReader, type: number | undefined): Promise<string | undefined> {
	if (type === ADDRESS_TYPES.ipv4) return addressText(await reader.read(4));
	if (type === ADDRESS_TYPES.ipv6) return addressText(await reader.read(16));
	if (type !== ADDRESS_TYPES.name) return undefined;
	const [length = 0] = await reader.read(1);
	return (await reader.read(length)).toString('latin1');
}
