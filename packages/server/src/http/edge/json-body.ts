import type { FastifyRequest } from 'fastify';
import { jsonTextOf } from '../server/bodies/body.ts';

const STRICT = { lenient: false };

/**
 * The body as JSON. If an object has a key twice, the last one counts: edges are programs of the operator, and to look
 * for such keys takes longer than a check.
 */
export function edgeBodyOf(request: FastifyRequest) {
	const text = jsonTextOf(request, STRICT);
	if (typeof text !== 'string') return text;
	try {
		return { value: JSON.parse(text) as unknown };
	} catch {
		return { refused: 'invalid_request' } as const;
	}
}
