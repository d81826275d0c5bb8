import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ListenerAnswers, type ListenerFailure, prepareAnswer, sendAnswer } from './answers.ts';
import { isExpectationUnmet } from './bodies/body.ts';
import { closeConnectionsGently } from './connections/closing.ts';
import type { ListenerLimits } from './limits.ts';

/** Refuses requests before authentication and before the body is read. */
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

	/** Set while the server closes. Resolves when no client can connect any more. */
	let closed: Promise<void> | undefined;
	app.addHook('preClose', (done) => {
		closed = closeConnectionsGently(app.server);
		done();
	});

	app.addHook('onRequest', (request, reply, done) => {
		prepareAnswer(request, reply, answers);
		if (closed) {
			request.unavailableBecause = 'stopping';
			reply.header('connection', 'close').removeHeader('keep-alive');
			return void closed.then(() => refuse(reply, 'unavailable'));
		}
		if (hasMoreHeaders(request, headerLines)) return void refuse(reply, 'headers_too_large');
		if (!hasOneHost(request)) return void refuse(reply, 'bad_request');
		if (!PLAIN_TARGET.test(request.url)) return void refuse(reply, 'not_found');
		if (request.is404) {
			const methods = methodsByPath.get(pathOf(request));
			if (!methods) return void refuse(reply, 'not_found');
			return void refuse(reply.header('allow', methods.join(', ')), 'method_not_allowed');
		}
		// A request with a body is refused when the body is read: `create` costs its fee even then.
		if (isExpectationUnmet(request) && request.method !== 'POST') {
			return void refuse(reply, 'expectation_failed');
		}
		done();
	});
	// Never reached, because the hook above has answered. Without it, Fastify would add its own answer.
	app.setNotFoundHandler((_request, reply) => refuse(reply, 'not_found'));
}

/**
 * RFC 9112, section 3.2: HTTP/1.1 requires exactly one `Host` header. Node joins repeated headers with a comma and a
 * space, and a host contains no white space.
 */
function hasOneHost({ raw }: FastifyRequest): boolean {
	const { host } = raw.headers;
	if (host !== undefined) return !/\s/.test(host);
	return !(raw.httpVersionMajor === 1 && raw.httpVersionMinor === 1);
}

/** `rawHeaders` is one list of the names and values of all lines. */
function hasMoreHeaders({ raw }: FastifyRequest, lines: number): boolean {
	return raw.rawHeaders.length > 2 * lines;
}

/**
 * A path as the router reads it, and a query. `url` may be a whole URL (RFC 9112, section 3.2.2). The router also decodes
 * `%`, ends a path at `#`, and takes a URL whose host is empty or ends with `?`. A proxy in front that decides by the path
 * would see another one, so these are no paths here.
 */
const PLAIN_TARGET = /^(?:https?:\/\/[^/?#]+)?(\/[^?#%]*)(?:\?|$)/i;

function pathOf({ url }: FastifyRequest): string {
	return PLAIN_TARGET.exec(url)?.[1] as string;
}
