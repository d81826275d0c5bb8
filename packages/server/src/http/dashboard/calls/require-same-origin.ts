import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendRefusal } from './refusals.ts';

interface OriginDependencies {
	readonly publicUrl: () => string;
	readonly nowMs: () => number;
}

/**
 * Changes are accepted only from the dashboard's own pages. Browsers send `Origin` with every POST, and no page can
 * forge it. `Sec-Fetch-Site` also tells apart what older browsers call the same origin.
 */
export function requireSameOrigin(app: FastifyInstance, { publicUrl, nowMs }: OriginDependencies): void {
	app.addHook('onRequest', (request, reply, done) => {
		const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers;
		const isRead = request.method === 'GET' || request.method === 'HEAD';
		if (isRead || (origin === publicUrl() && site === 'same-origin')) return done();
		sendRefusal(reply, { refused: 'wrong_origin' }, nowMs());
	});
}

/** Pages of other sites must not start downloads in the browser of a person: only a few may run at once. */
export function refuseOtherSites({ nowMs }: Pick<OriginDependencies, 'nowMs'>) {
	return async ({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
		const { 'sec-fetch-site': site = 'none' } = headers;
		// `none`: the person typed the address.
		if (site === 'same-origin' || site === 'none') return undefined;
		return sendRefusal(reply, { refused: 'wrong_origin' }, nowMs());
	};
}
