import type { Calls } from '../calls/calls.ts';
import { timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';

/** How the mails of the service fare, for operators. */
export function operatorMailRoutes(calls: Calls, { store, mail }: Pick<DashboardDependencies, 'store' | 'mail'>): void {
	calls.read('/operator/mail', async () => {
		const { waiting, failing, failingSinceMs, failure, givenUp } = await store.readOutbox();
		return {
			data: {
				server: mail?.server ?? null,
				from: mail?.from ?? null,
				waiting,
				failing,
				failing_since: timeOrNull(failingSinceMs),
				last_failure: failure,
				given_up: givenUp,
			},
		};
	});
}
