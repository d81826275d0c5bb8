import type { FastifyReply, FastifyRequest } from 'fastify';

/** What a listener refuses or fails at by itself, whoever its audience is. */
export type ListenerFailure =
	| 'bad_request'
	| 'not_found'
	| 'method_not_allowed'
	| 'request_timeout'
	| 'expectation_failed'
	| 'headers_too_large'
	| 'internal_error'
	| 'unavailable';

export interface Answer {
	readonly status: number;
	/** Names in lowercase. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/** How the audience of a listener is answered. Every answer also has an id and is never cached. */
export interface ListenerAnswers {
	/** The answer to a failure. `nowMs` in Unix milliseconds. */
	failure(failure: ListenerFailure, nowMs: number): Answer;
	/** Sets the headers that every answer of this audience has. Called once, when the request has arrived. */
	prepare?(request: FastifyRequest, reply: FastifyReply): void;
	/** The same headers for an answer to something that is no request. */
	readonly headers?: Readonly<Record<string, string>>;
}

export function sendAnswer(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
	return reply.code(status).headers(headers).send(body);
}

/** Sets what every answer has. */
export function prepareAnswer(request: FastifyRequest, reply: FastifyReply, answers: ListenerAnswers): void {
	reply.header('x-request-id', request.id).header('cache-control', 'no-store');
	answers.prepare?.(request, reply);
}
