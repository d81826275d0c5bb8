// The origin behind the proxies. A connection that begins with a GET gets answers of 1 KiB. Others send orders.
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { ORDER_BYTES, readOrder } from './orders.ts';

const BODY_BYTES = 1024;
const HEAD = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`;
const ANSWER = Buffer.from(HEAD + 'x'.repeat(BODY_BYTES));
const CHUNK = Buffer.alloc(1_048_576, 'y');

const server = createServer({ noDelay: true }, (socket) => {
	socket.on('error', () => {});
	socket.once('data', (bytes: Buffer) => {
		if (bytes.toString('latin1', 0, 1) === 'G') return answer(socket, bytes);
		const order = readOrder(bytes);
		if (order?.direction === 'up') return receive(socket, order.bytes - bytes.length + ORDER_BYTES);
		send(socket, order?.bytes ?? Number.POSITIVE_INFINITY);
		socket.resume();
	});
});
server.listen(0, '127.0.0.1', () => {
	process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`);
});

function answer(socket: Socket, first: Buffer): void {
	let request = '';
	const read = (bytes: Buffer) => {
		request += bytes.toString('latin1');
		if (!request.endsWith('\r\n\r\n')) return;
		request = '';
		socket.write(ANSWER);
	};
	socket.on('data', read);
	read(first);
}

function receive(socket: Socket, bytes: number): void {
	let left = bytes;
	socket.on('data', ({ length }: Buffer) => {
		left -= length;
		if (left === 0) socket.write('.');
	});
}

function send(socket: Socket, bytes: number): void {
	let left = bytes;
	const more = () => {
		while (left > 0) {
			const chunk = CHUNK.subarray(0, left);
			left -= chunk.length;
			if (!socket.write(chunk)) return;
		}
	};
	socket.on('drain', more);
	more();
}
