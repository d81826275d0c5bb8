import type { OnReadOpts, Socket } from 'node:net';
import { WAITS } from '../speed/shaped-writes.ts';
import { type Destination, dial } from './dial.ts';
import { createReadBuffer } from './read-buffers.ts';

export interface TunnelEvents {
	/** A connection to the destination begins. */
	connecting(target: Socket): void;
	/** The destination, or the upstream, is reached. A write to the client now comes before the first byte from there. */
	opened(): void;
	/** The destination, or the upstream, is not reached. The client waits for an answer. */
	failed(error: NodeJS.ErrnoException): void;
	/** An open tunnel ends. `by` is the side that ended first. */
	ended(by: 'client' | 'destination'): void;
}

/** Connects a client with its destination. */
export function openTunnel(client: Socket, to: Destination, events: TunnelEvents): void {
	const target = dial(
		to,
		passDown(client, () => target),
	);
	events.connecting(target);
	// Begins before the destination answers: only a read shows that the client is gone.
	pass(client, target);
	let isOpen = false;
	target.once('connect', () => {
		isOpen = true;
		events.opened();
		tellEnds(client, target, events);
	});
	target.on('error', (error) => {
		if (isOpen) client.destroy();
		else events.failed(error);
	});
	endTogether(client, target);
}

/**
 * The same with several attempts. `dialing` gives the connection that succeeds, paused. What the client sends before stays in
 * the buffer of its socket, so no attempt takes bytes with it.
 */
export function openTunnelBy(
	client: Socket,
	dialing: (onread: OnReadOpts) => Promise<Socket>,
	{ opened, failed, ended }: Omit<TunnelEvents, 'connecting'>,
): void {
	let target: Socket;
	const onread = passDown(client, () => target);
	// Only a read shows that the client is gone.
	client.read(0);
	dialing(onread).then((socket) => {
		if (client.destroyed) return void socket.destroy();
		target = socket;
		opened();
		pass(client, target);
		join(client, target, ended);
		target.resume();
	}, failed);
}

/** The same for a connection that an upstream has already opened. */
export function joinTunnel(client: Socket, target: Socket, { ended }: Pick<TunnelEvents, 'ended'>): void {
	pass(client, target);
	pass(target, client);
	join(client, target, ended);
}

function join(client: Socket, target: Socket, ended: TunnelEvents['ended']): void {
	tellEnds(client, target, { ended });
	target.on('error', () => client.destroy());
	endTogether(client, target);
}

/** Bytes for the client. Reading pauses while the system takes no more of them, so that the buffer can be used again. */
function passDown(client: Socket, from: () => Socket): OnReadOpts {
	const reading = createReadBuffer();
	client.once('close', reading.end);
	// Those that wait because of a speed limit leave large buffers to the others.
	client.on(WAITS, () => reading.filled(0));
	let paused: Socket | undefined;
	let buffer: Buffer | undefined;
	const written = () => {
		if (client.writableLength > 0) return;
		paused?.resume();
		paused = undefined;
	};
	return {
		buffer(): Buffer {
			// Node asks for the next buffer at once, even if the client has not taken the bytes in this one.
			if (!paused || !buffer) buffer = reading.next();
			return buffer;
		},
		/** Returns whether more may be read at once. */
		callback(length: number, { buffer: memory, byteOffset }: Uint8Array): boolean {
			reading.filled(length);
			client.write(Buffer.from(memory, byteOffset, length), written);
			if (client.writableLength === 0) return true;
			paused = from();
			return false;
		},
	};
}

/** Each read gets new memory: Node lets accepted sockets read into no buffer of ours. */
function pass(from: Socket, to: Socket): void {
	from.on('data', (bytes: Buffer) => {
		const written = (error?: Error | null) => {
			if (!error) giveUp(bytes);
		};
		if (to.writable && !to.write(bytes, written) && to.writableLength > 0) from.pause();
	});
	to.on('drain', () => from.resume());
	from.resume();
}

/**
 * Frees the memory of bytes that the system has taken. The garbage collector would free it later, which takes half of the
 * processor time of an upload.
 */
function giveUp({ buffer, length }: Buffer): void {
	if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}

function tellEnds(client: Socket, target: Socket, { ended }: Pick<TunnelEvents, 'ended'>): void {
	atEnd(client, () => ended('client'));
	atEnd(target, () => ended('destination'));
}

/** Each half ends by itself. */
function endTogether(client: Socket, target: Socket): void {
	atEnd(client, () => target.end());
	atEnd(target, () => client.end());
	target.once('close', () => {
		// Without reading, the end of the client would stay unnoticed.
		client.resume();
		if (client.writable) client.end();
	});
}

/** A client may have ended already, while its pair was checked. */
function atEnd(socket: Socket, act: () => void): void {
	if (socket.readableEnded) act();
	else socket.once('end', act);
}
