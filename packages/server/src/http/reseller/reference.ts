import { isMovementReference, REFERENCE_HEADER, REFERENCE_MAX_LENGTH } from '@bursar/contract';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
	interface FastifyRequest {
		/** What a give or a take is for, as the reseller names it. `undefined` without a valid header. */
		reference: string | undefined;
	}
}

/** In lowercase, as Node names it. */
const HEADER = 'x-reference';

/** Reads the header. Node joins repeated headers with a space, so a repeated one is ill-formed. */
export function noteReference(request: FastifyRequest): void {
	const text = headerOf(request);
	if (text !== undefined && isMovementReference(text)) request.reference = text;
}

export function hasMalformedReference(request: FastifyRequest): boolean {
	return request.reference === undefined && headerOf(request) !== undefined;
}

/** Says why a give or a take was refused whose reference is malformed. */
export const MALFORMED_REFERENCE = `${REFERENCE_HEADER} must be 1 to ${REFERENCE_MAX_LENGTH} visible ASCII characters without spaces, and sent once`;

function headerOf({ raw }: FastifyRequest): string | undefined {
	return raw.headers[HEADER] as string | undefined;
}
