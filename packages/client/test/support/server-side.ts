import { connect, type Socket } from 'node:net';
import { firstMessage, type HttpMessage } from './http-message.ts';

/** A connection to the server that outlives the client's, so that what is on its way still arrives. */
export interface ServerSide {
	/** Sends a request and waits for its answer; `undefined` where the connection ended without one. */
	ask(request: Buffer): Promise<HttpMessage | undefined>;
	/** Sends the first part of a request, and ends the connection. */
	sendPart(part: Buffer): void;
	close(): void;
	/** Called when the connection has ended. */
	onEnd(listener: () => void): void;
}

export function openServerSide(port: number, sockets: Set<Socket>): ServerSide {
	const socket = connect(port, '127.0.0.1');
	let received = Buffer.alloc(0);
	let answered: ((answer: HttpMessage | undefined) => void) | undefined;
	socket.setNoDelay(true);
	sockets.add(socket);
	socket.on('error', () => {});
	socket.on('data', (bytes: Buffer) => {
		received = Buffer.concat([received, bytes]);
		const answer = firstMessage(received);
		if (answer === undefined) return;
		received = received.subarray(answer.bytes.length);
		answered?.(answer);
	});
	socket.on('close', () => {
		sockets.delete(socket);
		answered?.(undefined);
	});
	return {
		ask: (request) =>
			new Promise((resolve) => {
				answered = resolve;
				if (socket.destroyed) return resolve(undefined);
				socket.write(request);
			}),
		sendPart: (part) => void socket.write(part, () => socket.destroy()),
		close: () => void socket.destroy(),
		onEnd: (listener) => void socket.on('close', listener),
	};
}
