import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendFailure, withCommonHeaders } from './answer.ts';
import { isExpectationUnmet, putContentTypeAside } from './body.ts';
import { closeConnectionsGently } from './closing.ts';
import type { AppDependencies } from './dependencies.ts';
import { noteExpiry } from './expiry.ts';
import { MAX_HEADER_LINES } from './hardened-server.ts';

/** What is decided before anybody looks at who asks, or at the body. */
export function refuseEarly(app: FastifyInstance, { nowMs }: Pick<AppDependencies, 'nowMs'>): void {
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

	app.decorateRequest('expiresAtMs', undefined);
	app.addHook('onRequest', (request, reply, done) => {
		noteExpiry(request);
		withCommonHeaders(reply, request);
		if (closing) return void sendFailure(reply.header('connection', 'close'), 'unavailable', nowMs());
		if (hasTooManyHeaders(request)) return void sendFailure(reply, 'headers_too_large', nowMs());
		if (!hasOneHost(request)) return void sendFailure(reply, 'bad_request', nowMs());
		if (request.is404) {
			const methods = methodsByPath.get(pathOf(request));
			if (!methods) return void sendFailure(reply, 'not_found', nowMs());
			return void sendFailure(reply.header('allow', methods.join(', ')), 'method_not_allowed', nowMs());
		}
		// With a body it is refused by whoever reads the body: `create` costs its fee even then.
		if (isExpectationUnmet(request) && request.method !== 'POST') {
			return void sendFailure(reply, 'expectation_failed', nowMs());
		}
		putContentTypeAside(request);
		done();
	});
	// Never reached: the hook above has answered. Fastify would otherwise add an answer of its own.
	app.setNotFoundHandler((_request, reply) => sendFailure(reply, 'not_found', nowMs()));
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
function hasTooManyHeaders({ raw }: FastifyRequest): boolean {
	return raw.rawHeaders.length > 2 * MAX_HEADER_LINES;
}

/** The path as the router reads it: out of a whole URL too (RFC 9112, section 3.2.2), without the query, decoded. */
function pathOf(request: FastifyRequest): string {
	const path = request.url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
	return decodeURI(path);
}
