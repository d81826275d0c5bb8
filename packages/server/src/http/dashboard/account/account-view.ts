import { type Account, type ActKind, type ActPage, readActDetails, type SeenBy } from '@bursar/contract/dashboard';
import { isLiveSession, type Passkey, type Session } from '../../../domain/people/person.ts';
import type { DashboardReads, NumberedAct, SignedIn } from '../../../store/tables/people/reads.ts';
import { readAfterChange } from '../calls/after-change.ts';
import type { Reply } from '../calls/call.ts';
import { time, timeOrNull } from '../calls/times.ts';

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

/** The person's account after a change. If the session has ended meanwhile, `signed_out` would say that nothing was done. */
export function accountAfterChange(
	{ session }: SignedIn,
	{ store, nowMs }: { readonly store: Pick<DashboardReads, 'findSession'>; readonly nowMs: () => number },
): Promise<Reply<Account>> {
	return readAfterChange(async () => {
		const caller = await store.findSession(session.hash);
		return caller ? { data: accountView(caller, nowMs()) } : { refused: 'outcome_unknown' };
	});
}

/** A page of acts. `acts` has one more than the page if there are further ones. */
export function actPageView(acts: readonly NumberedAct[], pageSize: number, seenBy: SeenBy): ActPage {
	const shown = acts.slice(0, pageSize);
	return {
		acts: shown.map(({ number, kind, target, details, address, atMs }) => ({
			number,
			kind: kind as ActKind,
			target,
			details: readActDetails(details, seenBy),
			address,
			at: time(atMs),
		})),
		next_before: acts.length > pageSize ? (shown.at(-1)?.number ?? null) : null,
	};
}
