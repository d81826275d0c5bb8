// What is behind the proxies. A connection that begins with a GET gets answers of 1 KiB, one that begins with anything
// else gets bytes without end.
import { type AddressInfo, createServer, type Socket } from 'node:net';

const BODY_BYTES = 1024;
const HEAD = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`;
const ANSWER = Buffer.from(HEAD + 'x'.repeat(BODY_BYTES));
const CHUNK = Buffer.alloc(65_536, 'y');

const server = createServer({ noDelay: true }, (socket) => {
	let request = '';
	socket.on('error', () => {});
	socket.on('data', (bytes) => {
		request += bytes.toString('latin1');
		if (!request.startsWith('G')) return stream(socket);
		if (!request.endsWith('\r\n\r\n')) return;
		request = '';
		socket.write(ANSWER);
	});
});
server.listen(0, '127.0.0.1', () => {
	process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`);
});

function stream(socket: Socket): void {
	const more = () => {
		while (socket.write(CHUNK));
	};
	socket.removeAllListeners('data').resume().on('drain', more);
	more();
}
