import type { SubUserDetails } from '@bursar/contract/dashboard';
import { normalizeSignInIps } from '@bursar/contract/sign-in-ips';
import { normalizeUsername } from '@bursar/contract/username';
import type { DeleteSubUser } from '../../../commands/sub-users/delete.ts';
import type { SetLimits } from '../../../commands/sub-users/set-limits.ts';
import type { SetNote } from '../../../commands/sub-users/set-note.ts';
import type { SetSignInIps } from '../../../commands/sub-users/set-sign-in-ips.ts';
import type { ResumeSubUser, SuspendSubUser } from '../../../commands/sub-users/suspend.ts';
import { readLimits } from '../../sub-user-limits.ts';
import { readAfterChange } from '../calls/after-change.ts';
import { type PersonCall, type Reply, resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import { time } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { readSubUserDetails } from './sub-user-details.ts';

interface TermsDependencies extends Pick<DashboardDependencies, 'accounts' | 'store' | 'bank' | 'nowMs'> {
	readonly sessions: Sessions;
}

/** What a change sets, beside whose it is. */
type Wanted =
	| Pick<SuspendSubUser, 'kind'>
	| Pick<ResumeSubUser, 'kind'>
	| Pick<SetLimits, 'kind' | 'limits'>
	| Pick<SetNote, 'kind' | 'note'>
	| Pick<SetSignInIps, 'kind' | 'signInIps'>;

/** Suspends, limits, notes and deletes sub-users, and sets from where they sign in. */
export function termsRoutes(calls: Calls, dependencies: TermsDependencies): void {
	const { store, bank, sessions } = dependencies;

	/** Who changes which sub-user. `undefined`: no sub-user can have this name. */
	function changeOf(call: PersonCall, kind: Wanted['kind'] | DeleteSubUser['kind'], sent: SentChange) {
		const username = normalizeUsername(sent.username);
		if (username === undefined) return undefined;
		const { act } = ownChange(call, sessions, { act: sent.act, kind, target: username });
		return { reseller: resellerOf(call), username, requestId: call.request.id, act };
	}

	async function setTerms(call: PersonCall, sent: SentChange, wanted: Wanted): Promise<Reply<SubUserDetails>> {
		const change = changeOf(call, wanted.kind, sent);
		if (!change) return { refused: 'unknown_sub_user' };
		const outcome = await bank.submit({ ...wanted, ...change });
		if (!outcome.ok) return refusedBy(outcome);
		return readAfterChange(async () => {
			const details = await readSubUserDetails(dependencies, change.reseller, change.username);
			return details ? { data: details } : { refused: 'outcome_unknown' };
		});
	}

	calls.change('/sub-users/suspend', (body, call) => setTerms(call, body, { kind: 'suspend_sub_user' }));
	calls.change('/sub-users/resume', (body, call) => setTerms(call, body, { kind: 'resume_sub_user' }));
	calls.change('/sub-users/note', ({ note, ...body }, call) => setTerms(call, body, { kind: 'set_note', note }));
	calls.change('/sub-users/limits', async ({ limits: sent, ...body }, call) => {
		const read = readLimits(sent);
		if ('wrong' in read) return { refused: 'invalid_limits' };
		return setTerms(call, body, { kind: 'set_limits', ...read });
	});

	calls.change('/sub-users/sign-in-ips', async ({ sign_in_ips: sent, ...body }, call) => {
		const signInIps = normalizeSignInIps(sent);
		if (!signInIps) return { refused: 'invalid_sign_in_ips' };
		return setTerms(call, body, { kind: 'set_sign_in_ips', signInIps });
	});

	calls.change('/sub-users/delete', async (body, call) => {
		const change = changeOf(call, 'delete_sub_user', body);
		if (!change) return { refused: 'unknown_sub_user' };
		const outcome = await bank.submit({ kind: 'delete_sub_user', ...change });
		if (!outcome.ok) return refusedBy(outcome);
		return { data: { username: outcome.username, returned: outcome.returnedCents } };
	});

	calls.read('/deleted-sub-user', async ({ username: typedName }, call) => {
		const username = normalizeUsername(typedName);
		const deletion = username === undefined ? undefined : await store.findDeletion(resellerOf(call), username);
		if (!deletion) return { data: null };
		const { createdAtMs, deletedAtMs } = deletion;
		return { data: { username: deletion.username, created: time(createdAtMs), deleted: time(deletedAtMs) } };
	});
}

interface SentChange {
	readonly act: string;
	readonly username: string;
}
