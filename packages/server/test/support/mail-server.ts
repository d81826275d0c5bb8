import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { eventually } from '@bursar/testing/eventually';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail that the server has taken. */
export interface ReceivedMail {
	readonly from: string;
	readonly to: readonly string[];
	/** As it came over the wire. */
	readonly raw: string;
	/** By names in lowercase. Lines that were folded are one again. */
	readonly headers: ReadonlyMap<string, string>;
	/** The plain text, decoded. */
	readonly text: string;
	readonly html: string;
}

/** A real mail server on this machine. It ends with the test. */
export async function startMailServer(t: Pick<TestContext, 'after'>, options: SMTPServerOptions = {}) {
	const mails: ReceivedMail[] = [];
	const server = new SMTPServer({
		disabledCommands: ['STARTTLS', 'AUTH'],
		authOptional: true,
		onData(stream, { envelope }, done) {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', () => {
				const { mailFrom, rcptTo } = envelope;
				const raw = Buffer.concat(chunks).toString('utf8');
				const to = rcptTo.map(({ address }) => address);
				mails.push({ from: mailFrom ? mailFrom.address : '', to, raw, ...read(raw) });
				done();
			});
		},
		...options,
	});
	// A client that goes away in the middle is no fault of the test.
	server.on('error', () => {});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	t.after(() => new Promise<void>((resolve) => server.close(resolve)));
	const { port } = server.server.address() as AddressInfo;
	return {
		port,
		url: `smtp://127.0.0.1:${port}`,
		mails,
		/** Waits until that many mails have come. */
		async received(count: number): Promise<readonly ReceivedMail[]> {
			return eventually(async () => {
				if (mails.length < count) throw new Error(`${mails.length} mails have come`);
				return mails;
			}, 60_000);
		},
	};
}

function read(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
	const { headers, body } = partOf(raw);
	const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1];
	const parts = boundary === undefined ? [] : body.split(`--${boundary}`).map((part) => partOf(part.trimStart()));
	const content = (type: string) => {
		const part = parts.find((each) => each.headers.get('content-type')?.startsWith(type));
		return part ? decoded(part.body, part.headers.get('content-transfer-encoding')) : '';
	};
	return { headers, text: content('text/plain'), html: content('text/html') };
}

function partOf(raw: string) {
	const [head = '', ...rest] = raw.split('\r\n\r\n');
	const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
	const headers = new Map(
		lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)] as const),
	);
	return { headers, body: rest.join('\r\n\r\n') };
}

function decoded(body: string, encoding: string | undefined): string {
	if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
	if (encoding !== 'quoted-printable') return body;
	const bytes = body
		.replace(/=\r\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
	return Buffer.from(bytes, 'latin1').toString('utf8');
}
