import type { FastifyReply } from 'fastify';
import { isHttps } from './sessions/cookie.ts';

const A_YEAR_SECONDS = 31_536_000;

/** Sets the headers of every answer of the dashboard. */
export function setSecurityHeaders(reply: FastifyReply, publicUrl: string): void {
	void reply.headers({
		'x-content-type-options': 'nosniff',
		'referrer-policy': 'no-referrer',
		...(isHttps(publicUrl) && { 'strict-transport-security': `max-age=${A_YEAR_SECONDS}` }),
	});
	// Only the API honours an expiry.
	reply.removeHeader('x-request-expires');
}
