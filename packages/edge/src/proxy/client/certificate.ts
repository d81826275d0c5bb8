import { constants, X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';
import { openSecretFile, readBoundedFile } from '@bursar/terminal';
import type { Logger } from 'pino';

/** The certificate with which this proxy speaks TLS. */
export interface Certificate {
	/** For new connections. It has a new certificate within five seconds after the files change. */
	readonly context: SecureContext;
	/** When it expires, in seconds since 1970. */
	readonly expiresAtSeconds: number;
	stop(): void;
}

export interface CertificateOptions {
	/** PEM: the certificate, and those that signed it. */
	readonly certificateFile: string;
	/** PEM, without a passphrase. */
	readonly keyFile: string;
	/** Whether others may read or change the file of the key. */
	readonly mayBeOpen: boolean;
	readonly logger: Pick<Logger, 'info' | 'error'>;
	readonly lookEveryMs?: number;
}

const LOOK_MS = 5_000;
/**
 * Far more than a certificate with its chain has.
 * @bound The file of a certificate or its key: a longer one is not used.
 */
const MOST_BYTES = 1_048_576;

/**
 * Reads a certificate and its key, and again when a file has changed. If a later pair cannot be used, the previous one
 * stays, and the log says so once.
 *
 * @throws Error with a message for operators that shows nothing of the files
 */
export function openCertificate(options: CertificateOptions): Certificate {
	const { certificateFile, keyFile, logger, lookEveryMs = LOOK_MS } = options;
	const files = [certificateFile, keyFile];
	let seen = versionOf(files);
	let loaded = load(options);

	function look(): void {
		const version = versionOf(files);
		if (version === seen) return;
		seen = version;
		try {
			loaded = load(options);
			logger.info({ expires: new Date(loaded.expiresAtSeconds * 1000).toISOString() }, 'there is a new certificate');
		} catch (cause) {
			logger.error(`the new certificate is not used, and the previous one stays: ${(cause as Error).message}`);
		}
	}

	const looking = setInterval(look, lookEveryMs).unref();
	return {
		get context() {
			return loaded.context;
		},
		get expiresAtSeconds() {
			return loaded.expiresAtSeconds;
		},
		stop: () => clearInterval(looking),
	};
}

function load({ certificateFile, keyFile, mayBeOpen }: CertificateOptions) {
	const fault = mayBeOpen ? undefined : openSecretFile(keyFile);
	if (fault !== undefined) throw new Error(`the file of the key: ${fault}`);
	const cert = read(certificateFile, 'certificate');
	const key = read(keyFile, 'key');
	try {
		const expiresAtSeconds = new X509Certificate(cert).validToDate.getTime() / 1000;
		// Without this, a client could repeat handshakes on one connection without end.
		const secureOptions = constants.SSL_OP_NO_RENEGOTIATION;
		return { context: createSecureContext({ cert, key, minVersion: 'TLSv1.2', secureOptions }), expiresAtSeconds };
	} catch (cause) {
		throw new Error(
			`they are no certificate and its key, both as PEM, the key without a passphrase (${codeOf(cause)})`,
		);
	}
}

function read(file: string, what: string): Buffer {
	let bytes: Buffer | undefined;
	try {
		bytes = readBoundedFile(file, MOST_BYTES);
	} catch (cause) {
		throw new Error(`the file of the ${what} cannot be read (${codeOf(cause)})`);
	}
	if (!bytes) throw new Error(`the file of the ${what} has more than ${MOST_BYTES} bytes`);
	return bytes;
}

/** A text that changes as soon as one of the files is replaced or written. */
function versionOf(files: readonly string[]): string {
	return files.map(fileVersion).join(' ');
}

function fileVersion(file: string): string {
	try {
		const { dev, ino, size, mtimeNs } = statSync(file, { bigint: true });
		return `${dev}/${ino}/${size}/${mtimeNs}`;
	} catch (cause) {
		return codeOf(cause);
	}
}

/** Without the message, which could hold more than an operator's log should. */
function codeOf(error: unknown): string {
	return (error as NodeJS.ErrnoException).code ?? 'no code';
}
