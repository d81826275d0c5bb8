import type { Socket } from 'node:net';
import type { Sender, SpeedLine } from './speed-line.ts';

/** The writes of a socket, which wait until their bytes may pass. So whoever reads for this socket waits too. */
export interface ShapedWrites {
	/** Whether bytes wait for their turn. */
	readonly isWaiting: boolean;
	/** From now on, bytes pass on this line. `undefined`: they pass at once. */
	use(line: SpeedLine | undefined): void;
	/** The socket is closed: what waits is dropped. */
	end(): void;
}

type Done = (error?: Error | null) => void;

/** The event of a socket whose bytes have to wait. */
export const WAITS = Symbol('waits');

/** Other sockets keep the methods of their class, and cost nothing more. */
export function shapeWrites(socket: Socket): ShapedWrites {
	const { _write: write, _writev: writeMany } = socket;
	let line: SpeedLine | undefined;
	let isWaiting = false;
	/** The rest of the write in progress: a socket has one at a time. */
	let rest: Buffer = Buffer.alloc(0);
	let done: Done = () => {};

	const sender: Sender = {
		get wantedBytes() {
			return rest.length;
		},
		pass(bytes) {
			isWaiting = false;
			const piece = rest.subarray(0, bytes);
			rest = rest.subarray(bytes);
			write.call(socket, piece, 'buffer' as BufferEncoding, passed);
		},
	};

	function passed(error?: Error | null): void {
		if (!error && rest.length > 0 && !socket.destroyed) return void ask();
		rest = Buffer.alloc(0);
		done(error);
	}

	function ask(): void {
		isWaiting = line !== undefined;
		if (line) line.ask(sender);
		else sender.pass(rest.length);
		if (isWaiting) socket.emit(WAITS);
	}

	function begin(bytes: Buffer, callback: Done): void {
		rest = bytes;
		done = callback;
		ask();
	}

	socket._write = (chunk: Buffer | string, encoding, callback) => {
		if (!line) return write.call(socket, chunk, encoding, callback);
		begin(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk, callback);
	};
	socket._writev = (chunks, callback) => {
		if (!line) return writeMany?.call(socket, chunks, callback);
		const pieces = chunks.map(({ chunk, encoding }) =>
			typeof chunk === 'string' ? Buffer.from(chunk, encoding) : (chunk as Buffer),
		);
		begin(Buffer.concat(pieces), callback);
	};

	return {
		get isWaiting() {
			return isWaiting;
		},
		use(next) {
			if (next === line) return;
			line?.leave(sender);
			line = next;
			if (isWaiting) ask();
		},
		end() {
			line?.leave(sender);
			line = undefined;
			isWaiting = false;
		},
	};
}
