import type { Calls } from '../calls/calls.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { presenceView } from './presence.ts';
import type { Sessions } from './sessions.ts';

interface SessionDependencies extends Pick<DashboardDependencies, 'nowMs' | 'publicUrl' | 'mail' | 'brand' | 'topUps'> {
	readonly sessions: Sessions;
}

/** Who is signed in. Both calls answer everybody. */
export function sessionRoutes(calls: Calls, dependencies: SessionDependencies): void {
	const { sessions } = dependencies;
	calls.openRead('/session', async (_query, { request }) => ({
		data: await presenceView(await sessions.find(request), dependencies),
	}));
	calls.openChange('/sign-out', async (_body, call) => sessions.signOut(call));
}
