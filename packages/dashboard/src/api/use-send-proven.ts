import { type DashboardChanges, needsProof } from '@bursar/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { CallError, change } from './call.ts';
import { isProven } from './presence.ts';
import { useProve } from './prove.ts';

/**
 * Sends a change of the person with this e-mail address. If it needs a proof and there is no fresh one, asks for it
 * first. The change resolves with `undefined` if the person gives no proof, and throws `CallError`.
 */
export function useSendProven() {
	const client = useQueryClient();
	const prove = useProve();

	return async function sendProven<Path extends keyof DashboardChanges>(
		path: Path,
		body: DashboardChanges[Path]['body'],
		email: string | undefined,
	): Promise<DashboardChanges[Path]['answer'] | undefined> {
		if (needsProof(path) && !(await isProven(client)) && !(await prove())) return undefined;
		try {
			return await change(path, body, email);
		} catch (error) {
			if (!(error instanceof CallError) || error.code !== 'proof_required') throw error;
			// The proof has ended meanwhile.
			return (await prove()) ? await change(path, body, email) : undefined;
		}
	};
}
