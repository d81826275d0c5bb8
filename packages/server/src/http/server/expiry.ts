import { EXPIRY_HONOURED, REQUEST_EXPIRES_HEADER, readExpirySeconds } from '@bursar/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
	interface FastifyRequest {
		/** The request must not start at or after this time, in Unix milliseconds. `undefined` without a valid header. */
		expiresAtMs: number | undefined;
	}
}

/** In lowercase, as Node names it. */
const EXPIRES_HEADER = 'x-request-expires';

/** The header of an answer to input that is no valid request. */
export const EXPIRY_HEADERS = { [EXPIRES_HEADER]: EXPIRY_HONOURED };

/**
 * Reads the header, and sends its value back in the same header, so that a client can see whether its own arrived. Node
 * joins repeated headers, so a repeated one is ill-formed.
 */
export function noteExpiry(request: FastifyRequest, reply: FastifyReply): void {
	const text = headerOf(request);
	const seconds = text === undefined ? undefined : readExpirySeconds(text);
	if (seconds !== undefined) request.expiresAtMs = seconds * 1000;
	reply.header(EXPIRES_HEADER, seconds === undefined ? EXPIRY_HONOURED : text);
}

export function hasMalformedExpiry(request: FastifyRequest): boolean {
	return request.expiresAtMs === undefined && headerOf(request) !== undefined;
}

/** Says why a request was refused whose expiry is malformed, or is over. */
export const MALFORMED_EXPIRY = `${REQUEST_EXPIRES_HEADER} must be 1 to 12 digits, and sent once`;
export const EXPIRED = `the time in ${REQUEST_EXPIRES_HEADER} is over by the clock of this service, and nothing was done`;

/** `nowMs` is in Unix milliseconds. */
export function isExpired({ expiresAtMs }: FastifyRequest, nowMs: number): boolean {
	return expiresAtMs !== undefined && expiresAtMs <= nowMs;
}

function headerOf({ raw }: FastifyRequest): string | undefined {
	return raw.headers[EXPIRES_HEADER] as string | undefined;
}
