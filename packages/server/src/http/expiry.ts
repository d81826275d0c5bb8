import { EXPIRY_HONOURED, readExpirySeconds } from '@bursar/contract';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
	interface FastifyRequest {
		/** When it may not be begun any more, in Unix milliseconds; `undefined` where no well-formed header says so. */
		expiresAtMs: number | undefined;
	}
}

/** As Node names it. */
export const EXPIRES_HEADER = 'x-request-expires';

/** Reads the header, before anything is answered. One that is repeated was joined by Node, and is ill-formed. */
export function noteExpiry(request: FastifyRequest): void {
	const text = headerOf(request);
	const seconds = text === undefined ? undefined : readExpirySeconds(text);
	if (seconds !== undefined) request.expiresAtMs = seconds * 1000;
}

/** What the answer says in the header: so a client can see whether its own came through. */
export function expiryAnswer(request: FastifyRequest): string {
	return request.expiresAtMs === undefined ? EXPIRY_HONOURED : (headerOf(request) as string);
}

export function hasMalformedExpiry(request: FastifyRequest): boolean {
	return request.expiresAtMs === undefined && headerOf(request) !== undefined;
}

function headerOf({ raw }: FastifyRequest): string | undefined {
	return raw.headers[EXPIRES_HEADER] as string | undefined;
}
