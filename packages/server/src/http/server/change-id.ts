import { CHANGE_ID_HEADER, CHANGE_ID_HONOURED, isChangeId } from '@bursar/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
	interface FastifyRequest {
		/** The reseller's own name for the change that it asks for. `undefined` without a valid header. */
		changeId: string | undefined;
	}
}

/** In lowercase, as Node names it. */
const HEADER = 'x-change-id';

/** The header of an answer to input that is no valid request. */
export const CHANGE_ID_HEADERS = { [HEADER]: CHANGE_ID_HONOURED };

/**
 * Reads the header, and sends its value back in the same header, so that a client can see whether its own arrived. Node
 * joins repeated headers, so a repeated one is ill-formed.
 */
export function noteChangeId(request: FastifyRequest, reply: FastifyReply): void {
	const text = headerOf(request);
	if (text !== undefined && isChangeId(text)) request.changeId = text;
	reply.header(HEADER, request.changeId ?? CHANGE_ID_HONOURED);
}

export function hasMalformedChangeId(request: FastifyRequest): boolean {
	return request.changeId === undefined && headerOf(request) !== undefined;
}

/** Says why a change was refused whose id is malformed. */
export const MALFORMED_CHANGE_ID = `${CHANGE_ID_HEADER} must be 16 to 64 letters, digits, - or _, and sent once`;

function headerOf({ raw }: FastifyRequest): string | undefined {
	return raw.headers[HEADER] as string | undefined;
}
