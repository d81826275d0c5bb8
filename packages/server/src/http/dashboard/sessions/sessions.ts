import type { Presence } from '@bursar/contract/dashboard';
import type { FastifyRequest } from 'fastify';
import type { NewSession } from '../../../commands/people/sessions.ts';
import type { SignIn, VerifiedFactor } from '../../../commands/people/sign-in.ts';
import type { PersonRefusalReason } from '../../../commands/registry.ts';
import { newId, newSecret } from '../../../credentials.ts';
import {
	isLiveSession,
	type Person,
	type PersonRecord,
	SESSION_LIFE_MS,
	SESSION_USE_MS,
} from '../../../domain/people/person.ts';
import type { SignedIn } from '../../../store/tables/people/reads.ts';
import type { ClientAddress } from '../../server/address.ts';
import type { Call, Reply } from '../calls/call.ts';
import { type Refused, refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { browserName } from './browser-name.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from './cookie.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import { presenceView } from './presence.ts';

/** The sessions of people, as cookies and in the store. */
export interface Sessions {
	/** Who is signed in. Asks the store each time, so that an ended session counts nowhere any more. */
	find(request: FastifyRequest): Promise<SignedIn | undefined>;
	/** Whether the person is still signed in, also after a proof has given the session a new cookie. */
	isStillLive(caller: SignedIn): Promise<boolean>;
	/** Signs in with a verified factor: a new session and a new cookie. */
	signIn(call: Call, signIn: NewSignIn): Promise<Reply<Presence>>;
	/** What the next session of this browser is made of, and the secret of its cookie. A claim has no person yet. */
	make(request: FastifyRequest, person: Person | undefined): MadeSession;
	/** Gives the browser the cookie of a new session, and knows it from now on. The session that it had before ends. */
	start(call: Call, secret: string, started: StartedSession, before: SignedIn | undefined): void;
	/** Ends the session of this browser. */
	signOut(call: Call): Promise<Reply<Presence>>;
	/** Takes the cookie of a session that has ended from the browser. */
	forget(call: Call): void;
	addressOf(request: FastifyRequest): ClientAddress;
}

interface NewSignIn {
	readonly record: PersonRecord;
	readonly factor: VerifiedFactor;
	/** For a proof: the session that goes on with the new cookie. */
	readonly proves?: SignedIn;
	/** Keys of tries that are forgiven. */
	readonly forgives?: readonly string[];
}

interface StartedSession {
	readonly session: SignedIn['session'];
	/** Whose it is, with the present password. */
	readonly person: Pick<Person, 'email' | 'passwordHash'>;
}

interface MadeSession {
	readonly secret: string;
	readonly session: NewSession;
}

interface SessionDependencies
	extends Pick<
		DashboardDependencies,
		'store' | 'bank' | 'nowMs' | 'publicUrl' | 'mail' | 'addressOf' | 'brand' | 'topUps'
	> {
	readonly knownBrowsers: KnownBrowsers;
}

export function createSessions(dependencies: SessionDependencies): Sessions {
	const { store, bank, nowMs, publicUrl, knownBrowsers } = dependencies;
	const addressOf = (request: FastifyRequest) => dependencies.addressOf(request.raw);
	const recordUse = createUseRecords(bank);

	async function find(request: FastifyRequest): Promise<SignedIn | undefined> {
		const hash = readSessionCookie(request, publicUrl());
		const found = hash === undefined ? undefined : await store.findSession(hash);
		if (!found || !isLiveSession(found.session, nowMs()) || found.record.person.lockedAtMs !== null) return undefined;
		recordUse(found, nowMs());
		return found;
	}

	function make(request: FastifyRequest, person: Person | undefined): MadeSession {
		const { secret, secretHash } = newSecret();
		const browser = browserName(request.headers['user-agent']);
		const isNewBrowser = !person || !knownBrowsers.find(request, person.email)?.isOf(person);
		const address = addressOf(request).text;
		return { secret, session: { id: newId(), hash: secretHash, browser, address, isNewBrowser } };
	}

	function start(
		{ request, reply }: Call,
		secret: string,
		{ session, person }: StartedSession,
		before: SignedIn | undefined,
	): void {
		setSessionCookie(reply, publicUrl(), secret, session.signedInAtMs + SESSION_LIFE_MS - nowMs());
		knownBrowsers.remember(request, reply, person);
		if (before) void bank.changePerson(signOutOf(before));
	}

	function forget({ reply }: Call): void {
		clearSessionCookie(reply, publicUrl());
	}

	return {
		find,
		async isStillLive({ session, record }) {
			const now = await store.findPersonByEmail(record.person.email);
			if (!now || now.person.lockedAtMs !== null) return false;
			return now.sessions.some((each) => each.id === session.id && isLiveSession(each, nowMs()));
		},
		make,
		start,
		forget,
		addressOf,
		async signIn(call, { record, factor, proves, forgives = [] }) {
			const before = proves ? undefined : await find(call.request);
			const { secret, session } = make(call.request, record.person);
			const outcome = await bank.changePerson({
				kind: 'sign_in',
				person: record.person.id,
				factor,
				forgives,
				requestId: call.request.id,
				...(proves
					? { session: { ...session, id: proves.session.id }, replaces: proves.session.hash }
					: { session, actId: newId() }),
			});
			if (!outcome.ok) return refusedSignIn(outcome, factor);
			start(call, secret, { session: outcome.session, person: record.person }, before);
			return { data: await presenceView({ session: outcome.session, record }, dependencies) };
		},
		async signOut(call) {
			const caller = await find(call.request);
			if (caller) {
				const outcome = await bank.changePerson(signOutOf(caller));
				if (!outcome.ok) return refusedBy(outcome);
			}
			forget(call);
			return { data: await presenceView(undefined, dependencies) };
		},
	};
}

/** The password or the passkey was changed at the same moment, or the person was locked. */
function refusedSignIn(outcome: { readonly error: PersonRefusalReason<SignIn> }, { kind }: VerifiedFactor): Refused {
	const isPasskey = outcome.error === 'factor_changed' && kind === 'passkey';
	return isPasskey ? { refused: 'passkey_refused' } : refusedBy(outcome);
}

function signOutOf({ session, record }: SignedIn) {
	return { kind: 'sign_out', person: record.person.id, sessionHash: session.hash } as const;
}

/** Writes when a session was last used: at most once a minute, one write at a time, and no request waits for it. */
function createUseRecords(bank: SessionDependencies['bank']) {
	const underWay = new Set<string>();
	return ({ session }: SignedIn, usedAtMs: number): void => {
		if (usedAtMs - session.lastSeenAtMs < SESSION_USE_MS || underWay.has(session.hash)) return;
		underWay.add(session.hash);
		const use = { kind: 'session_use', hash: session.hash, usedAtMs } as const;
		void bank.keep(use).then(() => underWay.delete(session.hash));
	};
}
