import { connect, type Socket } from 'node:net';

/** How clients reach a proxy. */
export interface ProxyAddress {
	readonly port: number;
	/** How they ask for tunnels. */
	readonly protocol: 'http' | 'socks5';
	/** Absent if the proxy needs no password. */
	readonly pair?: { readonly username: string; readonly password: string } | undefined;
}

/** A tunnel to the origin. */
export interface Tunnel {
	readonly socket: Socket;
	/** From now on, arriving bytes come here, in a buffer that is used again afterwards. Earlier ones are thrown away. */
	read(received: (bytes: Buffer) => void): void;
}

/** All sockets read into it, so that the clients use little processor time. */
const BUFFER = Buffer.allocUnsafe(262_144);
const END_OF_HEAD = '\r\n\r\n';
const SOCKS = { noSignIn: 0, password: 2, toIpv4: Buffer.of(5, 1, 0, 1), answerBytes: 10 } as const;

/** Connects to a proxy. If that fails, the socket closes. */
export function connectTo(port: number): Tunnel {
	let receive: (bytes: Buffer) => void = () => {};
	const onread = {
		buffer: BUFFER,
		callback(length: number, buffer: Uint8Array) {
			receive(Buffer.from(buffer.buffer, buffer.byteOffset, length));
			return true;
		},
	};
	const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread }).on('error', () => {});
	return {
		socket,
		read(received) {
			receive = received;
		},
	};
}

/** Opens a tunnel to `ADDRESS:PORT`. Rejects if the proxy refuses it. */
export async function openTunnel(proxy: ProxyAddress, origin: string): Promise<Tunnel> {
	const tunnel = connectTo(proxy.port);
	if (proxy.protocol === 'http') await askOverHttp(tunnel, proxy, origin);
	else await askOverSocks(tunnel, proxy, origin);
	return tunnel;
}

/** The header line with the pair. */
export function authorizationLine({ pair }: ProxyAddress): string {
	if (!pair) return '';
	const credentials = Buffer.from(`${pair.username}:${pair.password}`).toString('base64');
	return `Proxy-Authorization: Basic ${credentials}\r\n`;
}

async function askOverHttp(tunnel: Tunnel, proxy: ProxyAddress, origin: string): Promise<void> {
	tunnel.socket.write(`CONNECT ${origin} HTTP/1.1\r\nHost: ${origin}\r\n${authorizationLine(proxy)}\r\n`);
	const answer = await answerOf(tunnel, (bytes) => bytes.includes(END_OF_HEAD));
	const text = answer.toString('latin1');
	if (!text.startsWith('HTTP/1.1 200 ')) throw new Error(`the proxy answers ${text.slice(0, 60)}`);
}

async function askOverSocks(tunnel: Tunnel, { pair }: ProxyAddress, origin: string): Promise<void> {
	const { socket } = tunnel;
	const ask = async (bytes: Buffer, answerBytes: number) => {
		socket.write(bytes);
		return answerOf(tunnel, (answer) => answer.length >= answerBytes);
	};
	const method = pair ? SOCKS.password : SOCKS.noSignIn;
	assertStarts(await ask(Buffer.of(5, 1, method), 2), 5, method);
	if (pair) assertStarts(await ask(signIn(pair), 2), 1, 0);
	assertStarts(await ask(requestFor(origin), SOCKS.answerBytes), 5, 0);
}

function signIn({ username, password }: { readonly username: string; readonly password: string }): Buffer {
	const [name, secret] = [Buffer.from(username), Buffer.from(password)];
	return Buffer.concat([Buffer.of(1, name.length), name, Buffer.of(secret.length), secret]);
}

function requestFor(origin: string): Buffer {
	const [host = '', port] = origin.split(':');
	const portBytes = Buffer.alloc(2);
	portBytes.writeUInt16BE(Number(port));
	return Buffer.concat([SOCKS.toIpv4, Buffer.from(host.split('.').map(Number)), portBytes]);
}

function assertStarts(answer: Buffer, first: number, second: number): void {
	if (answer[0] !== first || answer[1] !== second) throw new Error(`the proxy answers ${answer.toString('hex')}`);
}

/** The answer of the proxy, once it is complete. */
function answerOf({ socket, read }: Tunnel, isWhole: (bytes: Buffer) => boolean): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		let answer = Buffer.alloc(0);
		socket.once('close', () => reject(new Error('the proxy has closed a connection')));
		read((bytes) => {
			answer = Buffer.concat([answer, bytes]);
			if (!isWhole(answer)) return;
			read(() => {});
			resolve(answer);
		});
	});
}
