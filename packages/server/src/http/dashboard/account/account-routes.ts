import { ROWS_ON_A_PAGE } from '@bursar/contract/dashboard';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { hashNewPassword, type PasswordRules } from '../factors/new-password.ts';
import type { KnownBrowsers } from '../sessions/known-browsers.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { accountAfterChange, accountView, actPageView } from './account-view.ts';

export interface AccountDependencies extends Pick<DashboardDependencies, 'store' | 'bank' | 'nowMs'>, PasswordRules {
	readonly sessions: Sessions;
	readonly knownBrowsers: Pick<KnownBrowsers, 'remember'>;
}

/** What people see and change of their own account, besides codes and passkeys. */
export function accountRoutes(calls: Calls, dependencies: AccountDependencies): void {
	const { store, bank, sessions, knownBrowsers, nowMs } = dependencies;

	calls.read('/account', async (_query, { caller }) => ({
		data: accountView(caller, nowMs()),
	}));

	calls.read('/account/acts', async ({ before = Number.MAX_SAFE_INTEGER }, { caller }) => {
		// One more than the page shows whether there are further ones.
		const { id, reseller } = caller.record.person;
		const acts = await store.listActs(id, before, ROWS_ON_A_PAGE + 1);
		return { data: actPageView(acts, ROWS_ON_A_PAGE, reseller === null ? 'operator' : 'reseller') };
	});

	calls.change('/account/password', async ({ act, password }, call) => {
		const { caller } = call;
		const hashed = await hashNewPassword(password, caller.record.person.email, dependencies);
		if ('refused' in hashed) return hashed;
		const outcome = await bank.changePerson({
			kind: 'set_password',
			...ownChange(call, sessions, { act, kind: 'set_password' }),
			...hashed,
		});
		if (!outcome.ok) return refusedBy(outcome);
		knownBrowsers.remember(call.request, call.reply, { ...caller.record.person, ...hashed });
		return accountAfterChange(caller, dependencies);
	});

	calls.change('/account/sessions/end', async ({ act, id }, call) => {
		const { caller } = call;
		const ended = caller.record.sessions.find((session) => session.id === id);
		const outcome = await bank.changePerson({
			kind: 'end_sessions',
			...ownChange(call, sessions, { act, kind: 'end_session', target: ended?.browser ?? '' }),
			session: id,
		});
		if (!outcome.ok) return refusedBy(outcome);
		if (id !== caller.session.id) return accountAfterChange(caller, dependencies);
		sessions.forget(call);
		const left = caller.record.sessions.filter((session) => session !== ended);
		return { data: accountView({ ...caller, record: { ...caller.record, sessions: left } }, nowMs()) };
	});

	calls.change('/account/sessions/end-others', async ({ act }, call) => {
		const outcome = await bank.changePerson({
			kind: 'end_sessions',
			...ownChange(call, sessions, { act, kind: 'end_other_sessions' }),
			session: 'others',
		});
		return outcome.ok ? accountAfterChange(call.caller, dependencies) : refusedBy(outcome);
	});
}
