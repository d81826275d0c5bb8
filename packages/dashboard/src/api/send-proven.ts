import type { DashboardChanges } from '@bursar/contract/dashboard';
import { CallError, change } from './call.ts';
import type { Prove } from './prove.ts';

/**
 * Sends a change. If it needs a proof, asks for one and sends it again. Resolves with `undefined` if the person gives no
 * proof. Throws `CallError`.
 */
export async function sendProven<Path extends keyof DashboardChanges>(
	prove: Prove,
	path: Path,
	body: DashboardChanges[Path]['body'],
): Promise<DashboardChanges[Path]['answer'] | undefined> {
	try {
		return await change(path, body);
	} catch (error) {
		if (!(error instanceof CallError) || error.code !== 'proof_required') throw error;
		return (await prove()) ? await change(path, body) : undefined;
	}
}
