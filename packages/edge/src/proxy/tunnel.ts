import { connect, type LookupFunction, type Socket } from 'node:net';

export interface TunnelEnd {
	readonly host: string;
	readonly port: number;
	/** Answers with the addresses that were checked. */
	readonly lookup: LookupFunction | undefined;
}

export interface TunnelEvents {
	/** There is no connection to the destination. The client waits for an answer. */
	failed(error: NodeJS.ErrnoException): void;
	/** An open tunnel ends, from this side first. */
	ended(by: 'client' | 'destination'): void;
}

/** Connects the client of a CONNECT request to its destination. `head` came right behind the request. */
export function openTunnel(client: Socket, head: Buffer, to: TunnelEnd, { failed, ended }: TunnelEvents): void {
	if (head.length > 0) client.unshift(head);
	let isOpen = false;
	const target = connect(to, () => {
		isOpen = true;
		client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		client.once('end', () => ended('client'));
		target.once('end', () => ended('destination'));
	});
	// Also before the destination answers: who does not read, does not see that the client is gone.
	client.pipe(target);
	target.pipe(client);
	target.on('error', (error) => {
		client.unpipe(target);
		if (isOpen) client.destroy();
		else failed(error);
	});
	target.on('close', () => {
		// A client that is not read would never be seen to end.
		client.resume();
		if (client.writable) client.end();
	});
}
