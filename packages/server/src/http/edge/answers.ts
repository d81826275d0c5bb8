import { type EdgeErrorCode, type EdgeFailure, edgeErrors } from '@bursar/contract/edge';
import type { FastifyReply } from 'fastify';
import { type Answer, type ListenerAnswers, sendAnswer } from '../server/answers.ts';
import { JSON_TYPE } from '../server/envelope.ts';

/** Programs read these answers: bare JSON, without the envelope of the API. */
export const EDGE_ANSWERS: ListenerAnswers = { failure: edgeFailure };

export function sendEdgeFailure(reply: FastifyReply, code: EdgeErrorCode): FastifyReply {
	return sendAnswer(reply, edgeFailure(code));
}

/** Answers 200 with JSON. */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
	return reply.header('content-type', JSON_TYPE).send(json);
}

function edgeFailure(code: EdgeErrorCode): Answer {
	const { status, message, ...rest } = edgeErrors[code];
	return {
		status,
		headers: {
			'content-type': JSON_TYPE,
			'x-error-code': code,
			...('retryAfterSeconds' in rest && { 'retry-after': String(rest.retryAfterSeconds) }),
		},
		body: JSON.stringify({ error: code, message } satisfies EdgeFailure),
	};
}
