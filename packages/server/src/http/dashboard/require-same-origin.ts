import type { FastifyInstance } from 'fastify';
import { sendRefusal } from './refusals.ts';

/**
 * Changes are accepted only from the dashboard's own pages. Browsers send `Origin` with every POST, and no page can
 * forge it. `Sec-Fetch-Site` also tells apart what older browsers call the same origin.
 */
export function requireSameOrigin(
	app: FastifyInstance,
	{ publicUrl, nowMs }: { readonly publicUrl: () => string; readonly nowMs: () => number },
): void {
	app.addHook('onRequest', (request, reply, done) => {
		const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers;
		const isRead = request.method === 'GET' || request.method === 'HEAD';
		if (isRead || (origin === publicUrl() && site === 'same-origin')) return done();
		sendRefusal(reply, { refused: 'wrong_origin' }, nowMs());
	});
}
