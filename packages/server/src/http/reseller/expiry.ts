import { EXPIRY_HONOURED, readExpirySeconds } from '@bursar/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
	interface FastifyRequest {
		/** When it may not be begun any more, in Unix milliseconds; `undefined` if no well-formed header says so. */
		expiresAtMs: number | undefined;
	}
}

/** As Node names it. */
const EXPIRES_HEADER = 'x-request-expires';

/** The header of an answer to something that is no request. */
export const EXPIRY_HEADERS = { [EXPIRES_HEADER]: EXPIRY_HONOURED };

/**
 * Reads the header, and has the answer say in the same header what was read: so a client can see whether its own came
 * through. One that is repeated was joined by Node, and is ill-formed.
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

function headerOf({ raw }: FastifyRequest): string | undefined {
	return raw.headers[EXPIRES_HEADER] as string | undefined;
}
