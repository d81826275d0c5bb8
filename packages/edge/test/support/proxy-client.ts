import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface CurlAnswer {
	/** The status of the answer, or of the proxy's answer to CONNECT; 0 if there was none. */
	readonly status: number;
	readonly body: string;
}

/** Runs curl with a proxy. The credentials are in its configuration on standard input, not in its arguments. */
export function curlThrough(
	proxyPort: number,
	[username, password]: readonly [string, string],
	args: readonly string[],
): Promise<CurlAnswer> {
	return new Promise((resolve) => {
		const curl = execFile(
			'curl',
			['-sS', '-K', '-', '-x', `http://127.0.0.1:${proxyPort}`, '-w', '\n%{http_code} %{http_connect}', ...args],
			{ maxBuffer: 1 << 26, timeout: 60_000 },
			(_error, output) => {
				const end = output.lastIndexOf('\n');
				const [status, connected] = output
					.slice(end + 1)
					.split(' ')
					.map(Number);
				resolve({ status: status || connected || 0, body: output.slice(0, end) });
			},
		);
		curl.stdin?.end(`proxy-user = "${username}:${password}"\n`);
	});
}

/** A tunnel through a proxy to the raw origin. */
export interface Tunnel {
	readonly socket: Socket;
	/** Sends bytes, and has the origin send some. Resolves once they have arrived. */
	exchange(bytesUp: number, bytesDown: number): Promise<void>;
	/** Resolves when the connection has ended. */
	readonly ended: Promise<void>;
}

/** Rejects if the proxy refuses. */
export async function openTunnel(
	test: TestContext,
	proxyPort: number,
	pair: readonly [string, string],
	target: string,
): Promise<Tunnel> {
	const socket = connect({ port: proxyPort, host: '127.0.0.1', noDelay: true });
	test.after(() => socket.destroy());
	let received = 0;
	let text = '';
	const ended = new Promise<void>((resolve) => {
		socket.on('error', () => {}).on('close', () => resolve());
	});
	socket.on('data', (bytes) => {
		received += bytes.length;
		if (text.length < 1_000) text += bytes.toString('latin1');
	});
	const until = async (isDone: () => boolean) => {
		while (!isDone()) {
			if (socket.destroyed) throw new Error(`the connection has ended after: ${text.slice(0, 60)}`);
			await Promise.race([once(socket, 'data'), ended]).catch(() => {});
		}
	};
	socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: ${basic(pair)}\r\n\r\n`);
	await until(() => text.includes('\r\n\r\n'));
	if (!text.startsWith('HTTP/1.1 200 ')) throw new Error(`the proxy refused: ${text.slice(0, 60)}`);
	return {
		socket,
		ended,
		async exchange(bytesUp, bytesDown) {
			const goal = received + bytesDown;
			socket.write(`${'z'.repeat(bytesUp)}${bytesDown}\n`);
			await until(() => received >= goal);
		},
	};
}

export function basic([username, password]: readonly [string, string]): string {
	return `Basic ${Buffer.from(`${username}:${password}`, 'latin1').toString('base64')}`;
}
