import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendFailure, withCommonHeaders } from './answer.ts';
import { isExpectationUnmet, putContentTypeAside } from './body.ts';
import { closeConnectionsGently } from './closing.ts';
import type { AppDependencies } from './dependencies.ts';

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

	app.addHook('onRequest', (request, reply, done) => {
		withCommonHeaders(reply, request);
		if (closing) return void sendFailure(reply.header('connection', 'close'), 'unavailable', nowMs());
		if (isHostMissing(request)) return void sendFailure(reply, 'bad_request', nowMs());
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

/** HTTP/1.1 requires one (RFC 9112, section 3.2). */
function isHostMissing({ raw }: FastifyRequest): boolean {
	return raw.headers.host === undefined && raw.httpVersionMajor === 1 && raw.httpVersionMinor === 1;
}

/** The path as the router reads it: out of a whole URL too (RFC 9112, section 3.2.2), without the query, decoded. */
function pathOf(request: FastifyRequest): string {
	const path = request.url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
	return decodeURI(path);
}
