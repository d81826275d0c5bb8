import { type ErrorCode, type ErrorDescription, errors, failureEnvelope, successEnvelope } from '@bursar/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EXPIRES_HEADER, expiryAnswer } from './expiry.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers 200 with the data in the envelope. `nowMs` in Unix milliseconds. */
export function sendData(reply: FastifyReply, data: unknown, nowMs: number): FastifyReply {
	return reply.header('content-type', JSON_TYPE).send(JSON.stringify(successEnvelope(data, nowMs)));
}

/** Answers a failure: its status, its code in a header, its message in the envelope. */
export function sendFailure(reply: FastifyReply, code: ErrorCode, nowMs: number): FastifyReply {
	const { status, retryAfterSeconds }: ErrorDescription = errors[code];
	reply.code(status).header('content-type', JSON_TYPE).header('x-error-code', code);
	if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
	return reply.send(JSON.stringify(failureEnvelope(code, nowMs)));
}

/** What every answer carries. */
export function withCommonHeaders(reply: FastifyReply, request: FastifyRequest): FastifyReply {
	return reply
		.header('x-request-id', request.id)
		.header('cache-control', 'no-store')
		.header(EXPIRES_HEADER, expiryAnswer(request));
}
