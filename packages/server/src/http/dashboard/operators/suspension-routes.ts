import { normalizeUsername } from '@bursar/contract/username';
import { findReseller } from '../business/accounts.ts';
import { readAfterChange } from '../calls/after-change.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { readResellerDetails } from './reseller-details.ts';

interface SuspensionDependencies
	extends Pick<DashboardDependencies, 'store' | 'accounts' | 'bank' | 'nowMs' | 'publicUrl'> {
	readonly sessions: Sessions;
}

const KINDS = { '/operator/suspend': 'suspend_reseller', '/operator/resume': 'resume_reseller' } as const;

/** Operators suspend and resume resellers, allow them to sign in by address, and note what they know of them. */
export function suspensionRoutes(calls: Calls, dependencies: SuspensionDependencies): void {
	const { accounts, bank, sessions } = dependencies;

	for (const path of ['/operator/suspend', '/operator/resume'] as const) {
		const kind = KINDS[path];
		calls.change(path, async ({ act, reseller: typedName }, call) => {
			const reseller = normalizeUsername(typedName);
			if (reseller === undefined) return { refused: 'unknown_reseller' };
			const outcome = await bank.submit({
				kind,
				reseller,
				requestId: call.request.id,
				act: ownChange(call, sessions, { act, kind, target: reseller }).act,
			});
			return outcome.ok ? detailsAfterChange(reseller) : refusedBy(outcome);
		});
	}

	calls.change('/operator/note', async ({ act, reseller: typedName, note }, call) => {
		const reseller = normalizeUsername(typedName);
		if (reseller === undefined) return { refused: 'unknown_reseller' };
		const kind = 'note_reseller';
		const outcome = await bank.submit({
			...{ kind, reseller, note, requestId: call.request.id },
			act: ownChange(call, sessions, { act, kind, target: reseller }).act,
		});
		return outcome.ok ? detailsAfterChange(reseller) : refusedBy(outcome);
	});

	calls.change('/operator/sign-in-by-address', async ({ act, reseller: typedName, allowed }, call) => {
		const reseller = normalizeUsername(typedName);
		if (reseller === undefined) return { refused: 'unknown_reseller' };
		const kind = 'allow_sign_in_by_address';
		const outcome = await bank.submit({
			...{ kind, reseller, isAllowed: allowed, requestId: call.request.id },
			act: ownChange(call, sessions, { act, kind, target: reseller }).act,
		});
		return outcome.ok ? detailsAfterChange(reseller) : refusedBy(outcome);
	});

	function detailsAfterChange(reseller: string) {
		return readAfterChange(async () => {
			const account = await findReseller(accounts, reseller);
			return account ? { data: await readResellerDetails(account, dependencies) } : { refused: 'unknown_reseller' };
		});
	}
}
