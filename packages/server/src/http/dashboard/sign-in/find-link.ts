import { hashSecret } from '../../../credentials.ts';
import type { DashboardDependencies } from '../dependencies.ts';

/** The link that still counts, and its person. */
export async function findLink(link: string, { store, nowMs }: Pick<DashboardDependencies, 'store' | 'nowMs'>) {
	const found = await store.findInvitation(hashSecret(link));
	const isLocked = typeof found?.person?.lockedAtMs === 'number';
	return found && nowMs() < found.invitation.expiresAtMs && !isLocked ? found : undefined;
}
