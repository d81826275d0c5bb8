import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { COMMON_LIMITS } from './limits.ts';

/** The failures that a listener answers by itself, for every audience. */
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

/** The form of the answers for one audience. The listener adds a request id and `Cache-Control: no-store` to each. */
export interface ListenerAnswers {
	/** The answer to a failure. `nowMs` in Unix milliseconds. */
	failure(failure: ListenerFailure, nowMs: number): Answer;
	/** Sets the headers that every answer of this audience has. Called once, when the request has arrived. */
	prepare?(request: FastifyRequest, reply: FastifyReply): void;
	/** The same headers, for an answer to input that is no valid request. */
	readonly headers?: Readonly<Record<string, string>>;
}

export function sendAnswer(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
	return reply.code(status).headers(headers).send(body);
}

/** Sends a stream, and ends it with its answer, even if the answer ended before the stream began. */
export function sendStream(reply: FastifyReply, stream: Readable): FastifyReply {
	if (reply.raw.destroyed) stream.destroy();
	else reply.raw.once('close', () => stream.destroy());
	return reply.send(stream);
}

/**
 * Answers when the promise is settled. A rejection goes to the error handler. A handler that returns a promise makes
 * Fastify add more of them.
 */
export function answerWith<Value>(
	reply: FastifyReply,
	promise: Promise<Value>,
	answer: (value: Value) => unknown,
): void {
	const fail = (cause: unknown) =>
		void reply.send(cause instanceof Error ? cause : new Error('something that is no error was thrown', { cause }));
	promise.then((value) => {
		try {
			answer(value);
		} catch (error) {
			fail(error);
		}
	}, fail);
}

/** Tells the client how long an unused connection stays open. Node would send it if its own timeout were used. */
const KEEP_ALIVE = `timeout=${COMMON_LIMITS.keepAliveMs / 1000}`;

/** Sets the headers that every answer has. */
export function prepareAnswer(request: FastifyRequest, reply: FastifyReply, answers: ListenerAnswers): void {
	reply.header('x-request-id', request.id).header('cache-control', 'no-store');
	if (reply.raw.shouldKeepAlive && request.raw.httpVersionMinor > 0) reply.header('keep-alive', KEEP_ALIVE);
	answers.prepare?.(request, reply);
}
