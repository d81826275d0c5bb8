import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Answers, readAnswers } from './answers.ts';
import type { Exit } from './exit.ts';
import { type HandshakeEnd, openOverHttp, openOverSocks, type TunnelTo } from './handshakes.ts';

/** @bound An upstream answers for a tunnel: then the client gets a 504. */
const ANSWER_TIMEOUT_MS = 10_000;
const TCP_KEEP_ALIVE_MS = 60_000;
/** The policy of destinations allows no other host. Other characters could have a meaning in a request to the exit. */
const HOST = /^[\w.:-]{1,255}$/;
/** These are about the exit alone, and not about the destination or the client. */
const faultsOfExits = new WeakSet<object>();

/** Whether another exit may be tried after this error of `connectThrough`. Nothing of the client was sent. */
export function isFaultOfExit(error: unknown): boolean {
	return error instanceof Error && faultsOfExits.has(error);
}

/** A try of an exit. */
export interface Attempt {
	readonly exit: Exit;
	/** How long the exit may take to accept, in milliseconds. */
	readonly connectMs: number;
	/** Tells the exit that it refused us, or did not answer. */
	refused(): void;
}

/**
 * Opens a tunnel through an exit, and tells the exit how that went. The socket is paused, and still has the bytes that
 * followed the answer.
 *
 * @param opened gets the socket before anything is sent. If it is destroyed there or later, the exit is told nothing.
 * @throws an error without secrets. Its `code` is `ETIMEDOUT` if the exit, or the destination behind it, does not answer.
 */
export async function connectThrough(
	attempt: Attempt,
	to: TunnelTo,
	opened: (socket: Socket) => void,
): Promise<Socket> {
	if (!HOST.test(to.host)) throw new Error('this is no host');
	const { exit } = attempt;
	const socket = open(exit);
	const answers = readAnswers(socket);
	opened(socket);
	const end = await handshakeOver(socket, answers, attempt, to).catch((cause: Error) => {
		socket.destroy();
		throw cause;
	});
	exit.answered();
	if (end === 'opened') {
		answers.leave();
		return socket;
	}
	socket.destroy();
	if (end === 'not_served') throw faultOfExit(new Error('the upstream proxy does not serve this proxy now'));
	throw end === 'timeout' ? timeout('the destination does not answer') : new Error('the destination is not reached');
}

function open({ protocol, host, port }: Exit): Socket {
	const options = {
		host,
		port,
		allowHalfOpen: true,
		noDelay: true,
		keepAlive: true,
		keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
	};
	if (protocol !== 'https') return connect(options);
	return connectTls({ ...options, ALPNProtocols: ['http/1.1'], ...(isIP(host) === 0 && { servername: host }) });
}

async function handshakeOver(socket: Socket, answers: Answers, attempt: Attempt, to: TunnelTo): Promise<HandshakeEnd> {
	const { exit, connectMs } = attempt;
	const connected = answers.event(exit.protocol === 'https' ? 'secureConnect' : 'connect');
	await inTime(connectMs, socket, connected).catch((cause: Error) => {
		if (answers.isCut) throw cause;
		exit.failed();
		throw faultOfExit(cause);
	});
	const handshake = exit.protocol === 'socks5' ? openOverSocks : openOverHttp;
	return inTime(ANSWER_TIMEOUT_MS, socket, handshake(socket, answers, exit, to)).catch((cause: Error) => {
		if (answers.isCut) throw cause;
		attempt.refused();
		// An exit is also silent while its destination does not answer.
		throw (cause as NodeJS.ErrnoException).code === 'ETIMEDOUT' ? cause : faultOfExit(cause);
	});
}

/** Waits for a step, and destroys the socket if it takes too long. */
async function inTime<Result>(limitMs: number, socket: Socket, step: Promise<Result>): Promise<Result> {
	const late = setTimeout(() => socket.destroy(timeout('the upstream proxy does not answer')), limitMs);
	return step.finally(() => clearTimeout(late));
}

function faultOfExit(error: Error): Error {
	faultsOfExits.add(error);
	return error;
}

function timeout(message: string): Error {
	return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}
