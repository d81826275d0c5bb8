import { getSystemErrorName } from 'node:util';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpUrl } from './smtp-url.ts';

/** A mail as it goes over the wire. */
export interface Letter {
	readonly from: string;
	readonly to: string;
	readonly message: Buffer;
}

/** A connection to the mail server. After a failure it is of no use. */
export interface SmtpSession {
	/** Resolves when the server has taken the mail. Rejects with `SmtpError`. */
	send(letter: Letter): Promise<void>;
	/** Ends it at once. A mail that is being sent may have been taken or not. */
	close(): void;
}

/** Why a mail was not sent. The message has the server's code, and none of its words: they may say anything. */
export class SmtpError extends Error {
	override readonly name = 'SmtpError';
	/** Whether the server refuses this mail for ever. */
	readonly isFinal: boolean;

	constructor(message: string, isFinal = false) {
		super(message);
		this.isFinal = isFinal;
	}
}

/** How long the server may take, in milliseconds: to let us in, and for one mail. */
export interface SmtpLimits {
	readonly connectMs: number;
	readonly sendMs: number;
}

/** @bound The mail server accepts the sign-in, and accepts a mail: then the mail counts as not sent. */
export const SMTP_LIMITS: SmtpLimits = { connectMs: 20_000, sendMs: 30_000 };

/** Connects and signs in. Rejects with `SmtpError`. */
export async function connectSmtp(server: SmtpUrl, limits: SmtpLimits = SMTP_LIMITS): Promise<SmtpSession> {
	const { host, port, encryption, user, password } = server;
	const connection = new SMTPConnection({
		host,
		port,
		secure: encryption === 'tls',
		requireTLS: encryption === 'starttls',
		ignoreTLS: encryption === 'plain',
		// These end only what is silent. Our own deadlines come first.
		connectionTimeout: 2 * limits.connectMs,
		greetingTimeout: 2 * limits.connectMs,
		socketTimeout: 2 * limits.sendMs,
		// Ends at once, without waiting for the other side.
		socketCloseTimeout: 0,
		maxResponseSize: 16 * 1024,
		allowInternalNetworkInterfaces: true,
	});
	/** Rejects what is under way. */
	let fail: (cause: Error) => void = () => {};
	connection.on('error', (cause: Error) => fail(cause));
	connection.on('end', () => fail(new SmtpError('the connection ended')));

	function within(limitMs: number, begin: (done: (cause?: Error | null) => void) => void): Promise<void> {
		return new Promise<void>((resolve, reject) => {
			const late = setTimeout(() => fail(new SmtpError('the server took too long')), limitMs);
			fail = (cause) => {
				clearTimeout(late);
				// Before the connection says that it has ended.
				reject(smtpErrorOf(cause));
				connection.close();
			};
			begin((cause) => {
				if (cause) return fail(cause);
				clearTimeout(late);
				resolve();
			});
		});
	}

	await within(limits.connectMs, (done) =>
		connection.connect((cause) => {
			if (cause || user === '') return done(cause);
			connection.login({ credentials: { user, pass: password } }, done);
		}),
	);
	return {
		send: ({ from, to, message }) =>
			within(limits.sendMs, (done) => {
				connection.send({ from, to: [to], size: message.length }, message, done);
			}),
		close() {
			fail(new SmtpError('the service stops'));
			connection.close();
		},
	};
}

interface ConnectionFault extends Error {
	readonly code?: string;
	/** The number of a fault of the operating system. */
	readonly errno?: number;
	readonly responseCode?: number;
	readonly command?: string;
}

/** The commands whose refusal is about this mail, and not about us. */
const ABOUT_THE_MAIL = ['RCPT TO', 'DATA'];
/** Without an answer of the server: the mail cannot be put into SMTP, or is larger than the server takes. */
const UNSENDABLE = ['EENVELOPE', 'EMESSAGE'];

function smtpErrorOf(cause: Error): SmtpError {
	if (cause instanceof SmtpError) return cause;
	const { code = 'unknown fault', errno, responseCode, command = '' } = cause as ConnectionFault;
	if (responseCode === undefined) {
		return new SmtpError(errno === undefined ? code : getSystemErrorName(errno), UNSENDABLE.includes(code));
	}
	const isFinal = responseCode >= 500 && responseCode !== 503 && ABOUT_THE_MAIL.includes(command);
	return new SmtpError(`${responseCode}${command && ` at ${command}`}`, isFinal);
}
