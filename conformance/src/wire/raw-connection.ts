import { connect as connectPlainly, isIP, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import type { ReceivedAnswer } from './answer.ts';
import { CallError, callError, type Limits } from './http-call.ts';
import { parseAnswers } from './raw-answers.ts';

/** A connection on which a rule can write any bytes. */
export interface RawSocket {
	write(bytes: string | Uint8Array): void;
	/**
	 * Waits for the first `count` answers, including 1xx answers; gives fewer if the connection ends earlier.
	 * Throws if neither happens in time.
	 */
	answers(count: number, limits: Limits): Promise<readonly ReceivedAnswer[]>;
	close(): void;
}

/** Far more than any answer that rules read in this way. */
const MOST_BYTES = 1024 ** 2;
/** Gathers bytes before each parse, because a parse for each byte would take too long. */
const GATHERING_MS = 5;

/** `methods` are the methods of the requests in their order; they matter for HEAD and CONNECT. */
export async function openSocket(url: URL, methods: readonly string[], limits: Limits): Promise<RawSocket> {
	const socket = await connect(url, limits);
	let chunks: Buffer[] = [];
	let bytes = 0;
	let ending: 'none' | 'ended' | 'broken' = 'none';
	let notify = () => {};
	socket.on('data', (chunk: Buffer) => {
		bytes += chunk.length;
		if (bytes <= MOST_BYTES) chunks.push(chunk);
		else socket.destroy();
		notify();
	});
	for (const event of ['end', 'error', 'close'] as const) {
		socket.on(event, () => {
			if (ending === 'none') ending = event === 'error' ? 'broken' : 'ended';
			notify();
		});
	}
	return {
		write: (bytes) => void socket.write(bytes),
		async answers(count, { timeoutMs, abandon }) {
			const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), abandon]);
			for (;;) {
				if (bytes > MOST_BYTES) throw new CallError(`the answers are longer than ${MOST_BYTES / 1024 ** 2} MiB`);
				const received = Buffer.concat(chunks);
				chunks = [received];
				const answers = parseAnswers(received, methods, ending === 'ended');
				if (answers.length >= count || ending !== 'none') return answers.slice(0, count);
				if (limit.aborted) throw new CallError(`no answer within ${timeoutMs / 1000} seconds`);
				await new Promise<void>((resolve) => {
					notify = resolve;
					limit.addEventListener('abort', () => resolve(), { once: true });
				});
				await setTimeout(GATHERING_MS);
			}
		},
		close: () => void socket.destroy(),
	};
}

function connect(url: URL, { timeoutMs, abandon }: Limits): Promise<Socket> {
	const isSecure = url.protocol === 'https:';
	const host = url.hostname.replace(/^\[|\]$/g, '');
	const port = Number(url.port || (isSecure ? 443 : 80));
	return new Promise((resolve, reject) => {
		const limit = AbortSignal.timeout(timeoutMs);
		const socket = isSecure
			? // TLS sends a host name as the server name, but not an IP address.
				connectSecurely({ host, port, ALPNProtocols: ['http/1.1'], servername: isIP(host) ? '' : host })
			: connectPlainly({ host, port });
		const fail = (error: Error) => {
			socket.destroy();
			reject(callError(error, limit, timeoutMs));
		};
		const giveUp = () => fail(new Error('too slow'));
		const either = AbortSignal.any([limit, abandon]);
		either.addEventListener('abort', giveUp, { once: true });
		socket.once('error', fail);
		socket.once(isSecure ? 'secureConnect' : 'connect', () => {
			either.removeEventListener('abort', giveUp);
			socket.off('error', fail);
			resolve(socket);
		});
	});
}
