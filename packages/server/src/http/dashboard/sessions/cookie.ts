import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashSecret } from '../../../credentials.ts';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** The hash of the session secret that the request's cookie carries, if it has the form of one. */
export function readSessionCookie(request: FastifyRequest, publicUrl: string): string | undefined {
	const secret = request.cookies[cookieName(publicUrl, 'session')];
	return secret !== undefined && SECRET.test(secret) ? hashSecret(secret) : undefined;
}

export function setSessionCookie(reply: FastifyReply, publicUrl: string, secret: string, lifeMs: number): void {
	const attributes = { ...cookieAttributes(publicUrl), maxAge: Math.ceil(lifeMs / 1000) };
	reply.setCookie(cookieName(publicUrl, 'session'), secret, attributes);
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
	reply.clearCookie(cookieName(publicUrl, 'session'), cookieAttributes(publicUrl));
}

/** Under https, browsers accept the cookie only from this very host (RFC 6265bis, section 4.1.3.2). */
export function cookieName(publicUrl: string, what: 'session' | 'browser'): string {
	return `${isHttps(publicUrl) ? '__Host-' : ''}bursar_${what}`;
}

export function cookieAttributes(publicUrl: string) {
	return { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(publicUrl) } as const;
}

export function isHttps(publicUrl: string): boolean {
	return publicUrl.startsWith('https:');
}
