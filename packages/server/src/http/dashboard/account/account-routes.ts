import { ROWS_ON_A_PAGE } from '@bursar/contract/dashboard';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { hashNewPassword, type PasswordRules } from '../factors/new-password.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { accountAfterChange, accountView, actPageView } from './account-view.ts';

export interface AccountDependencies extends Pick<DashboardDependencies, 'store' | 'bank' | 'nowMs'>, PasswordRules {
	readonly sessions: Sessions;
}

/** What people see and change of their own account, besides codes and passkeys. */
export function accountRoutes(calls: Calls, dependencies: AccountDependencies): void {
	const { store, bank, sessions, nowMs } = dependencies;

	calls.read('/account', { withoutFactor: true }, async (_query, { asker }) => ({ data: accountView(asker, nowMs()) }));

	calls.read('/account/acts', {}, async ({ before = Number.MAX_SAFE_INTEGER }, { asker }) => {
		// One more than the page shows whether there are further ones.
		const acts = await store.listActs(asker.record.person.id, before, ROWS_ON_A_PAGE + 1);
		return { data: actPageView(acts, ROWS_ON_A_PAGE) };
	});

	calls.change('/account/password', {}, async ({ act, password }, question) => {
		const { asker } = question;
		const hashed = await hashNewPassword(password, asker.record.person.email, dependencies);
		if ('refused' in hashed) return hashed;
		const outcome = await bank.changePerson({
			kind: 'set_password',
			...ownChange(question, sessions, { act, kind: 'set_password' }),
			...hashed,
		});
		return outcome.ok ? accountAfterChange(asker, dependencies) : refusedBy(outcome);
	});

	calls.change('/account/sessions/end', {}, async ({ act, id }, question) => {
		const { asker } = question;
		const ended = asker.record.sessions.find((session) => session.id === id);
		const outcome = await bank.changePerson({
			kind: 'end_sessions',
			...ownChange(question, sessions, { act, kind: 'end_session', target: ended?.browser ?? '' }),
			session: id,
		});
		if (!outcome.ok) return refusedBy(outcome);
		if (id !== asker.session.id) return accountAfterChange(asker, dependencies);
		sessions.forget(question);
		const left = asker.record.sessions.filter((session) => session !== ended);
		return { data: accountView({ ...asker, record: { ...asker.record, sessions: left } }, nowMs()) };
	});

	calls.change('/account/sessions/end-others', {}, async ({ act }, question) => {
		const outcome = await bank.changePerson({
			kind: 'end_sessions',
			...ownChange(question, sessions, { act, kind: 'end_other_sessions' }),
			session: 'others',
		});
		return outcome.ok ? accountAfterChange(question.asker, dependencies) : refusedBy(outcome);
	});
}
