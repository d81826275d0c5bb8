// Tunnels through proxies that read bytes without end, until the proxies close them. Reads `CutTunnels` as JSON from
// standard input, and prints for how many seconds bytes came.
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';

export interface CutTunnels {
	/** The tunnels are spread evenly over them. */
	readonly proxyPorts: readonly number[];
	/** `ADDRESS:PORT` of the origin. */
	readonly origin: string;
	readonly authorization: string;
	readonly tunnels: number;
}

const { proxyPorts, origin, authorization, tunnels } = (await json(process.stdin)) as CutTunnels;
const CONNECT = `CONNECT ${origin} HTTP/1.1\r\nHost: ${origin}\r\nProxy-Authorization: ${authorization}\r\n\r\n`;
const startedAtMs = performance.now();
await Promise.all(Array.from({ length: tunnels }, (_, index) => readToEnd(proxyPorts[index % proxyPorts.length] ?? 0)));
process.stdout.write(String((performance.now() - startedAtMs) / 1000));

function readToEnd(port: number): Promise<void> {
	return new Promise((resolve, reject) => {
		const socket = connect({ port, host: '127.0.0.1', noDelay: true });
		// A tunnel that is cut may end with a reset.
		socket.on('error', () => {}).on('close', () => resolve());
		socket.write(CONNECT);
		socket.once('data', (answer) => {
			const text = answer.toString('latin1');
			if (text.startsWith('HTTP/1.1 200 ')) socket.write('!');
			// The first tunnels may have used up the balance before the last ones open.
			else if (!text.startsWith('HTTP/1.1 402 ')) reject(new Error(`the proxy answers ${text}`));
		});
	});
}
