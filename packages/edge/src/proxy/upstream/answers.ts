import type { Socket } from 'node:net';

/** Reads what an exit sends before the tunnel is open. Each promise rejects when the connection ends. */
export interface Answers {
	/** Waits for an event of the socket. */
	event(name: 'connect' | 'secureConnect'): Promise<void>;
	/** The next bytes. `lengthOf` says how many from the bytes so far; `undefined`: it cannot tell yet. */
	take(lengthOf: (bytes: Buffer) => number | undefined): Promise<Buffer>;
	/** Gives the socket back, paused, with the bytes that were not taken. */
	leave(): void;
	/** This side has ended the connection. */
	readonly isCut: boolean;
}

/** @bound The answer of an upstream about a tunnel: with a longer one, the client gets a 502. */
const MAX_ANSWER_BYTES = 16_384;

/** The socket is paused whenever no reader waits. So its end comes only after its last bytes are read. */
export function readAnswers(socket: Socket): Answers {
	let waiting = Buffer.alloc(0);
	let look = (): void => {};
	let isCut = false;
	let giveUp = (_cause: Error): void => {};
	const ended = new Promise<never>((_, reject) => {
		giveUp = reject;
	});
	// No reader may be waiting when the connection ends.
	ended.catch(() => {});

	function takeIn(bytes: Buffer): void {
		waiting = Buffer.concat([waiting, bytes]);
		look();
	}
	const onEnd = () => giveUp(new Error('the upstream proxy ended the connection'));
	function onClose(): void {
		isCut = true;
		giveUp(new Error('the connection to the upstream proxy was cut'));
	}
	function onError(cause: Error): void {
		socket.off('close', onClose);
		giveUp(cause);
	}

	// The listener for errors stays: an error between two readers must not end the process.
	socket.pause().on('data', takeIn).on('end', onEnd).on('error', onError).on('close', onClose);

	return {
		event: (name) => Promise.race([ended, new Promise<void>((resolve) => socket.once(name, resolve))]),
		take(lengthOf) {
			const taken = new Promise<Buffer>((resolve) => {
				look = () => {
					const length = lengthOf(waiting);
					if (length !== undefined && waiting.length >= length) {
						socket.pause();
						look = () => {};
						resolve(waiting.subarray(0, length));
						waiting = waiting.subarray(length);
					} else if (waiting.length > MAX_ANSWER_BYTES)
						giveUp(new Error('the answer of the upstream proxy is too long'));
					else socket.resume();
				};
			});
			look();
			return Promise.race([ended, taken]);
		},
		leave() {
			socket.pause().off('data', takeIn).off('end', onEnd).off('close', onClose);
			if (waiting.length > 0) socket.unshift(waiting);
		},
		get isCut() {
			return isCut;
		},
	};
}
