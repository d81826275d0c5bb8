import type { Calls } from '../calls/calls.ts';
import type { DashboardDependencies } from '../dependencies.ts';

/** How programs reach the proxies. It is no secret between those who are signed in, whoever they are. */
export function proxyAccessRoutes(calls: Calls, { proxyAccess }: Pick<DashboardDependencies, 'proxyAccess'>): void {
	calls.read('/proxy-access', async () => ({ data: proxyAccess() }));
}
