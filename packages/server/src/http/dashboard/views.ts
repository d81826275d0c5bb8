import type {
	Account,
	ActKind,
	ActPage,
	CurrentToken,
	Presence,
	PresentPerson,
	PreviousToken,
	TokenState,
} from '@bursar/contract/dashboard';
import {
	hasSecondFactor,
	isLiveSession,
	lacksSecondFactor,
	type Passkey,
	provenUntilMs,
	type Session,
} from '../../domain/people/person.ts';
import { TOKEN_CACHE_LIFE_MS } from '../../domain/token.ts';
import type { StoredToken } from '../../store/credential-reads.ts';
import type { NumberedAct, SignedIn } from '../../store/dashboard-reads.ts';
import type { DashboardDependencies } from './dependencies.ts';
import { passkeysWorkAt } from './passkeys.ts';

/** Who looks at the dashboard. */
export function presenceView(
	asker: SignedIn | undefined,
	{ publicUrl, nowMs }: Pick<DashboardDependencies, 'publicUrl' | 'nowMs'>,
): Presence {
	return {
		person: asker ? personView(asker, nowMs()) : null,
		public_url: publicUrl(),
		passkeys: passkeysWorkAt(publicUrl()),
	};
}

function personView({ session, record }: SignedIn, nowMs: number): PresentPerson {
	return {
		email: record.person.email,
		reseller: record.person.reseller,
		proven_until: timeOrNull(provenUntilMs(session, nowMs)),
		code_required: hasSecondFactor(record),
		one_time_codes: record.codes !== undefined,
		has_passkey: record.passkeys.length > 0,
		second_factor_required: lacksSecondFactor(record),
	};
}

/** The person's own account. Only live sessions are shown. */
export function accountView({ session: current, record }: SignedIn, nowMs: number): Account {
	const sessions = record.sessions.filter((session) => isLiveSession(session, nowMs));
	return {
		email: record.person.email,
		reseller: record.person.reseller,
		one_time_codes: record.codes !== undefined,
		recovery_codes: record.recoveryCodes.length,
		passkeys: record.passkeys.toSorted((one, other) => one.createdAtMs - other.createdAtMs).map(passkeyView),
		sessions: sessions
			.toSorted((one, other) => other.lastSeenAtMs - one.lastSeenAtMs)
			.map((session) => sessionView(session, current)),
	};
}

function passkeyView({ id, name, createdAtMs, lastUsedAtMs }: Passkey): Account['passkeys'][number] {
	return { id, name, created: time(createdAtMs), last_used: timeOrNull(lastUsedAtMs) };
}

function sessionView(session: Session, current: Session): Account['sessions'][number] {
	const { id, browser, address, signedInAtMs, lastSeenAtMs } = session;
	return {
		id,
		current: id === current.id,
		browser,
		address,
		signed_in: time(signedInAtMs),
		last_seen: time(lastSeenAtMs),
	};
}

/** A page of acts. `acts` has one more than the page if there are further ones. */
export function actPageView(acts: readonly NumberedAct[], pageSize: number): ActPage {
	const shown = acts.slice(0, pageSize);
	return {
		acts: shown.map(({ number, kind, target, address, atMs }) => ({
			number,
			kind: kind as ActKind,
			target,
			address,
			at: time(atMs),
		})),
		next_before: acts.length > pageSize ? (shown.at(-1)?.number ?? null) : null,
	};
}

/** The tokens of a reseller. Throws if none of them is current. */
export function tokenStateView(
	reseller: string,
	tokens: readonly StoredToken[],
	{ publicUrl, nowMs }: Pick<DashboardDependencies, 'publicUrl' | 'nowMs'>,
): TokenState {
	const current = tokens.find(({ expiresAtMs }) => expiresAtMs === null);
	if (!current) throw new Error('a reseller has no current token');
	const [previous] = tokens
		.flatMap((token) => previousView(token, nowMs()) ?? [])
		.toSorted((one, other) => other.dead.localeCompare(one.dead));
	return { reseller, api_url: publicUrl(), current: currentView(current), previous: previous ?? null };
}

function currentView({ tail, madeAtMs, madeBy, lastUsedAtMs }: StoredToken): CurrentToken {
	return { tail, made: time(madeAtMs), made_by: madeBy, last_used: timeOrNull(lastUsedAtMs) };
}

/** The token that was replaced, as long as a process may still accept it. */
function previousView({ tail, expiresAtMs, lastUsedAtMs }: StoredToken, nowMs: number): PreviousToken | undefined {
	if (expiresAtMs === null || nowMs >= expiresAtMs + TOKEN_CACHE_LIFE_MS) return undefined;
	return {
		tail,
		expires: time(expiresAtMs),
		dead: time(expiresAtMs + TOKEN_CACHE_LIFE_MS),
		last_used: timeOrNull(lastUsedAtMs),
	};
}

/** ISO 8601 in UTC. */
export function time(ms: number): string {
	return new Date(ms).toISOString();
}

export function timeOrNull(ms: number | null): string | null {
	return ms === null ? null : time(ms);
}
