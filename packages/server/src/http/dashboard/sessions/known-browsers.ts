import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Person } from '../../../domain/people/person.ts';
import { cookieAttributes, cookieName } from './cookie.ts';

const ID_BYTES = 16;
/** @bound A browser is known by its cookie, for one person and the present password: then it counts as a stranger. */
const LIFE_SECONDS = 180 * 24 * 3600;
const FORM = /^([\w-]{22})\.([\w-]{43})\.([\w-]{43})$/;

/**
 * Browsers in which a person has signed in. Such a browser has tries of its own, so that strangers cannot keep its person
 * out. Its cookie is no session and proves nothing.
 */
export interface KnownBrowsers {
	/** The browser, if a person with this e-mail address was the last to sign in in it. Reads nothing. */
	find(request: FastifyRequest, email: string): KnownBrowser | undefined;
	/** Gives the browser a cookie that is good until the person has another password. */
	remember(request: FastifyRequest, reply: FastifyReply, person: Pick<Person, 'email' | 'passwordHash'>): void;
}

interface KnownBrowser {
	/** Names the browser in counts of tries. */
	readonly id: string;
	/** Whether this person has still the same password, and is not locked. */
	isOf(person: Person): boolean;
}

/** `key` is the same in all processes, so that each knows the browsers of the others. */
export function createKnownBrowsers(key: Uint8Array, publicUrl: () => string): KnownBrowsers {
	function sign(id: string, what: 'email' | 'password', value: string): string {
		return createHmac('sha256', key).update(`${id} ${what} ${value}`).digest('base64url');
	}

	function find(request: FastifyRequest, email: string): KnownBrowser | undefined {
		const [, id, ofEmail, ofPassword] = FORM.exec(request.cookies[cookieName(publicUrl(), 'browser')] ?? '') ?? [];
		if (!id || !ofEmail || !ofPassword || !isSame(ofEmail, sign(id, 'email', email))) return undefined;
		return {
			id,
			isOf: ({ passwordHash, lockedAtMs }) =>
				passwordHash !== null && lockedAtMs === null && isSame(ofPassword, sign(id, 'password', passwordHash)),
		};
	}

	return {
		find,
		remember(request, reply, { email, passwordHash }) {
			if (passwordHash === null) return;
			const id = find(request, email)?.id ?? randomBytes(ID_BYTES).toString('base64url');
			const value = [id, sign(id, 'email', email), sign(id, 'password', passwordHash)].join('.');
			const attributes = { ...cookieAttributes(publicUrl()), maxAge: LIFE_SECONDS };
			reply.setCookie(cookieName(publicUrl(), 'browser'), value, attributes);
		},
	};
}

function isSame(one: string, other: string): boolean {
	return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
