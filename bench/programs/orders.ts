/** What a connection to the origin says: it sends so many bytes (`down`), or takes so many and then sends one (`up`). */
export interface Order {
	readonly direction: 'down' | 'up';
	readonly bytes: number;
}

export const ORDER_BYTES = 7;
const DIRECTIONS = { down: 'D', up: 'U' } as const;

export function writeOrder({ direction, bytes }: Order): Buffer {
	const order = Buffer.alloc(ORDER_BYTES, DIRECTIONS[direction]);
	order.writeUIntBE(bytes, 1, 6);
	return order;
}

/** `undefined` if it is none. */
export function readOrder(order: Buffer): Order | undefined {
	const first = String.fromCharCode(order[0] ?? 0);
	if (first === DIRECTIONS.down) return { direction: 'down', bytes: order.readUIntBE(1, 6) };
	if (first === DIRECTIONS.up) return { direction: 'up', bytes: order.readUIntBE(1, 6) };
	return undefined;
}
