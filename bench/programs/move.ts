import type { Tunnel } from './open-tunnel.ts';
import { type Order, writeOrder } from './orders.ts';

const CHUNK = Buffer.alloc(1_048_576, 'y');

/** Moves bytes through a tunnel to the origin. Resolves when all have arrived, and rejects if the tunnel closes before. */
export function move({ socket, read }: Tunnel, order: Order): Promise<void> {
	return new Promise((resolve, reject) => {
		const closed = () => reject(new Error('the proxy has closed a tunnel'));
		socket.once('close', closed);
		let awaited = order.direction === 'down' ? order.bytes : 1;
		read(({ length }) => {
			awaited -= length;
			if (awaited > 0) return;
			socket.off('close', closed);
			resolve();
		});
		socket.write(writeOrder(order));
		if (order.direction === 'up') send();

		function send(): void {
			let left = order.bytes;
			const more = () => {
				if (left === 0) return;
				const chunk = CHUNK.subarray(0, left);
				left -= chunk.length;
				socket.write(chunk, more);
			};
			more();
		}
	});
}
