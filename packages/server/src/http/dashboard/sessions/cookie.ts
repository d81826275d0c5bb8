import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashSecret } from '../../../credentials.ts';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** The hash of the session secret that the request's cookie carries, if it has the form of one. */
export function readSessionCookie(request: FastifyRequest, publicUrl: string): string | undefined {
	const secret = request.cookies[nameAt(publicUrl)];
	return secret !== undefined && SECRET.test(secret) ? hashSecret(secret) : undefined;
}

export function setSessionCookie(reply: FastifyReply, publicUrl: string, secret: string, lifeMs: number): void {
	reply.setCookie(nameAt(publicUrl), secret, { ...attributesAt(publicUrl), maxAge: Math.ceil(lifeMs / 1000) });
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
	reply.clearCookie(nameAt(publicUrl), attributesAt(publicUrl));
}

/** Under https, browsers accept the cookie only from this very host (RFC 6265bis, section 4.1.3.2). */
function nameAt(publicUrl: string): string {
	return isHttps(publicUrl) ? '__Host-bursar_session' : 'bursar_session';
}

function attributesAt(publicUrl: string) {
	return { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(publicUrl) } as const;
}

export function isHttps(publicUrl: string): boolean {
	return publicUrl.startsWith('https:');
}
