import type { FastifyInstance } from 'fastify';
import { answerQuestion, SEEN_HEADER, SEEN_PATH } from '../../seen-request.ts';
import { JSON_TYPE } from '../server/envelope.ts';
import { sendRefusal } from './calls/refusals.ts';
import type { DashboardDependencies } from './dependencies.ts';

/** An address of TEST-NET-1, which no client has. */
const NO_CLIENT = '192.0.2.1';

/** Tells `bursar doctor` what arrives here of a request. For all other callers, this address does not exist. */
export function seenRoute(
	app: FastifyInstance,
	{ addressOf, seenKey, version, nowMs }: Pick<DashboardDependencies, 'addressOf' | 'seenKey' | 'version' | 'nowMs'>,
): void {
	app.get(SEEN_PATH, (request, reply) => {
		const question = request.headers[SEEN_HEADER]?.toString() ?? '';
		const { socket } = request.raw;
		const answer = answerQuestion(seenKey, question, () => ({
			version,
			connectedFrom: addressOf({ headers: {}, socket }).text,
			isTrusted: addressOf({ headers: { 'x-forwarded-for': NO_CLIENT }, socket }).text === NO_CLIENT,
			forwardedFor: request.headers['x-forwarded-for']?.toString() ?? null,
			client: addressOf(request.raw).text,
		}));
		if (answer === undefined) return sendRefusal(reply, { refused: 'not_found' }, nowMs());
		return reply.header('content-type', JSON_TYPE).header('cache-control', 'no-store').send(answer);
	});
}
