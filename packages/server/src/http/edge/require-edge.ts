import type { FastifyInstance } from 'fastify';
import type { EdgeTotals, EdgeUses } from '../../bank/edge-uses.ts';
import { bearerChallenge, bearerToken } from '../server/bearer-token.ts';
import { sendEdgeFailure } from './answers.ts';
import type { EdgeDirectory } from './edge-directory.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** The edge that asks, and what it does. */
		edge: EdgeTotals;
	}
}

interface RequireEdge {
	readonly directory: Pick<EdgeDirectory, 'edgeOf'>;
	readonly uses: Pick<EdgeUses, 'of'>;
	/** Unix milliseconds. */
	readonly nowMs: () => number;
}

/** Lets only edges through to the routes of this scope, before their bodies are read. */
export function requireEdge(app: FastifyInstance, { directory, uses, nowMs }: RequireEdge): void {
	app.decorateRequest('edge', null as unknown as EdgeTotals);
	app.addHook('onRequest', (request, reply, done) => {
		const key = bearerToken(request.headers.authorization);
		let name: string | undefined;
		try {
			name = key === undefined ? undefined : directory.edgeOf(key);
		} catch (error) {
			return done(error as Error);
		}
		if (name === undefined) {
			return void sendEdgeFailure(reply.header('www-authenticate', bearerChallenge(key)), 'unauthorized');
		}
		request.edge = uses.of(name);
		request.edge.seenAtMs = nowMs();
		done();
	});
}
