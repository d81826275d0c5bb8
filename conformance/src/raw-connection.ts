import { connect as connectPlainly, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { ReceivedAnswer } from './answer.ts';
import { CallError, callError } from './http-call.ts';
import { parseAnswers } from './raw-answers.ts';

/** A connection on which a rule writes whatever bytes it likes. */
export interface RawSocket {
	write(bytes: string | Uint8Array): void;
	/**
	 * The first answers, that many of them, once they are there; fewer where the connection ended before.
	 * Answers of 1xx count. Throws where neither happens in time.
	 */
	answers(count: number, timeoutMs: number): Promise<readonly ReceivedAnswer[]>;
	close(): void;
}

/** `methods` are those of the requests that will be written, in their order, where one of them is HEAD or CONNECT. */
export async function openSocket(url: URL, methods: readonly string[], timeoutMs: number): Promise<RawSocket> {
	const socket = await connect(url, timeoutMs);
	const chunks: Buffer[] = [];
	let ending: 'none' | 'ended' | 'broken' = 'none';
	let notify = () => {};
	socket.on('data', (chunk: Buffer) => {
		chunks.push(chunk);
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
		async answers(count, limitMs) {
			const limit = AbortSignal.timeout(limitMs);
			for (;;) {
				const answers = parseAnswers(Buffer.concat(chunks), methods, ending === 'ended');
				if (answers.length >= count || ending !== 'none') return answers.slice(0, count);
				if (limit.aborted) throw new CallError(`no answer within ${limitMs / 1000} seconds`);
				await new Promise<void>((resolve) => {
					notify = resolve;
					limit.addEventListener('abort', () => resolve(), { once: true });
				});
			}
		},
		close: () => void socket.destroy(),
	};
}

function connect(url: URL, timeoutMs: number): Promise<Socket> {
	const isSecure = url.protocol === 'https:';
	const host = url.hostname.replace(/^\[|\]$/g, '');
	const port = Number(url.port || (isSecure ? 443 : 80));
	return new Promise((resolve, reject) => {
		const limit = AbortSignal.timeout(timeoutMs);
		const socket = isSecure
			? // The name in the certificate is asked for; an address of digits is no name.
				connectSecurely({ host, port, ALPNProtocols: ['http/1.1'], servername: isIP(host) ? '' : host })
			: connectPlainly({ host, port });
		const fail = (error: Error) => {
			socket.destroy();
			reject(callError(error, limit, timeoutMs));
		};
		const giveUp = () => fail(new Error('too slow'));
		limit.addEventListener('abort', giveUp, { once: true });
		socket.once('error', fail);
		socket.once(isSecure ? 'secureConnect' : 'connect', () => {
			limit.removeEventListener('abort', giveUp);
			socket.off('error', fail);
			resolve(socket);
		});
	});
}
