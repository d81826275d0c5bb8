import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ListenerAnswers, type ListenerFailure, prepareAnswer, sendAnswer } from './answers.ts';
import { isExpectationUnmet, putContentTypeAside } from './body.ts';
import { closeConnectionsGently } from './closing.ts';
import type { ListenerLimits } from './limits.ts';

/** What is decided before anybody looks at who asks, or at the body. */
export function refuseEarly(
	app: FastifyInstance,
	{ headerLines }: Pick<ListenerLimits, 'headerLines'>,
	answers: ListenerAnswers,
	nowMs: () => number,
): void {
	function refuse(reply: FastifyReply, failure: ListenerFailure): FastifyReply {
		return sendAnswer(reply, answers.failure(failure, nowMs()));
	}

	const methodsByPath = new Map<string, string[]>();
	app.addHook('onRoute', ({ url, method }) => {
		methodsByPath.set(url, [...(methodsByPath.get(url) ?? []), ...[method].flat()]);
	});

	let closing = false;
	app.addHook('preClose', (done) => {
		closing = true;
		closeConnectionsGently(app.server);
		done();
	});

	app.addHook('onRequest', (request, reply, done) => {
		prepareAnswer(request, reply, answers);
		if (closing) return void refuse(reply.header('connection', 'close'), 'unavailable');
		if (hasMoreHeaders(request, headerLines)) return void refuse(reply, 'headers_too_large');
		if (!hasOneHost(request)) return void refuse(reply, 'bad_request');
		if (request.is404) {
			const methods = methodsByPath.get(pathOf(request));
			if (!methods) return void refuse(reply, 'not_found');
			return void refuse(reply.header('allow', methods.join(', ')), 'method_not_allowed');
		}
		// With a body it is refused by whoever reads the body: `create` costs its fee even then.
		if (isExpectationUnmet(request) && request.method !== 'POST') {
			return void refuse(reply, 'expectation_failed');
		}
		putContentTypeAside(request);
		done();
	});
	// Never reached: the hook above has answered. Fastify would otherwise add an answer of its own.
	app.setNotFoundHandler((_request, reply) => refuse(reply, 'not_found'));
}

/**
 * RFC 9112, section 3.2: HTTP/1.1 requires the header, and it may not be repeated. Node joins repeated headers with a
 * comma and a space, and no host has white space.
 */
function hasOneHost({ raw }: FastifyRequest): boolean {
	const { host } = raw.headers;
	if (host !== undefined) return !/\s/.test(host);
	return !(raw.httpVersionMajor === 1 && raw.httpVersionMinor === 1);
}

/** The names and the values of all lines stand in one list. */
function hasMoreHeaders({ raw }: FastifyRequest, lines: number): boolean {
	return raw.rawHeaders.length > 2 * lines;
}

/** The path as the router reads it: out of a whole URL too (RFC 9112, section 3.2.2), without the query, decoded. */
function pathOf(request: FastifyRequest): string {
	const path = request.url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
	return decodeURI(path);
}
