import type { Socket } from 'node:net';

/**
 * A server that answers early and closes has often sent its answer when we notice that it takes nothing more. Node would
 * end the socket, with the answer unread. With this, what is written then is dropped, and the socket ends when its last byte
 * was read, which comes at once: nobody is there to send more.
 */
export function outliveWrites(socket: Socket): void {
	const { _write: write, _writev: writeMany } = socket;
	socket._write = (chunk, encoding, callback) => write.call(socket, chunk, encoding, unlessGone(callback));
	socket._writev = (chunks, callback) => writeMany?.call(socket, chunks, unlessGone(callback));
}

function unlessGone(callback: (error?: Error | null) => void): (error?: NodeJS.ErrnoException | null) => void {
	return (error) => callback(error && GONE.has(error.code) ? null : error);
}

const GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ECONNRESET']);
