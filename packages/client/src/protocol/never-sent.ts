/**
 * Whether the request failed before it can have been sent. Node and Bun tell at which step a connection failed. Other
 * runtimes do not, and the failure counts as a lost answer.
 */
export function neverSent(error: unknown): boolean {
	const { cause } = (error ?? {}) as { cause?: unknown };
	const { errors: each = [cause] } = (cause ?? {}) as { errors?: unknown[] };
	return isOfConnecting(error) || (each.length > 0 && each.every(isOfConnecting));
}

function isOfConnecting(error: unknown): boolean {
	const { code, syscall, message } = (error ?? {}) as { code?: unknown; syscall?: unknown; message?: unknown };
	if (syscall === 'connect' || syscall === 'getaddrinfo' || code === 'UND_ERR_CONNECT_TIMEOUT') return true;
	return code === 'ECONNRESET' && message === BEFORE_TLS;
}

/** Whether the certificate of the service was refused. A request is sent only after that check. */
export function isCertificateRefusal(error: unknown): boolean {
	const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
	const isRefused = typeof code === 'string' && CERTIFICATE_REFUSALS.has(code);
	return isRefused || (cause !== undefined && isCertificateRefusal(cause));
}

/** Node's message if the connection ends during the TLS handshake. */
const BEFORE_TLS = 'Client network socket disconnected before secure TLS connection was established';

/** What OpenSSL and the check of the host name say. */
const CERTIFICATE_REFUSALS: ReadonlySet<string> = new Set([
	'CERT_CHAIN_TOO_LONG',
	'CERT_HAS_EXPIRED',
	'CERT_NOT_YET_VALID',
	'CERT_REJECTED',
	'CERT_REVOKED',
	'CERT_SIGNATURE_FAILURE',
	'CERT_UNTRUSTED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'ERROR_IN_CERT_NOT_AFTER_FIELD',
	'ERROR_IN_CERT_NOT_BEFORE_FIELD',
	'HOSTNAME_MISMATCH',
	'INVALID_CA',
	'INVALID_PURPOSE',
	'PATH_LENGTH_EXCEEDED',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
	'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
