import type { Calls } from '../calls/calls.ts';
import type { DashboardDependencies } from '../dependencies.ts';

/** How programs reach the proxies. Each person who is signed in may know it. */
export function proxyAccessRoutes(calls: Calls, { proxyAccess }: Pick<DashboardDependencies, 'proxyAccess'>): void {
	calls.read('/proxy-access', async () => ({ data: proxyAccess() }));
}
