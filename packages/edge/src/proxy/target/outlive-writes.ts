import type { Socket } from 'node:net';

/**
 * Some servers answer early and close. When a write then fails, their answer has often arrived already, but Node would end
 * the socket before the answer is read. With this, later writes are dropped, and the socket ends once its last byte is
 * read. That does not take long, because the server sends no more.
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
