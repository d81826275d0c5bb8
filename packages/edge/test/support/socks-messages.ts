/** What a client says that signs in over SOCKS5, all at once, and asks for a tunnel to this port of 127.0.0.1. */
export function socksRequest(username: string, password: string, port: number): Buffer {
	const [name, secret] = [Buffer.from(username), Buffer.from(password)];
	const signIn = Buffer.concat([Buffer.of(1, name.length), name, Buffer.of(secret.length), secret]);
	return Buffer.concat([Buffer.of(5, 1, 2), signIn, Buffer.of(5, 1, 0, 1, 127, 0, 0, 1, port >> 8, port & 0xff)]);
}

/** What it hears if it gets the tunnel, as Latin-1. */
export const SOCKS_OPENED = '\x05\x02\x01\x00\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00';
