import type { Account, NewRecoveryCodes } from '@bursar/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { refreshPresence } from '../../calls/presence.ts';
import { useTakeOver } from '../../calls/use-read.ts';

/** For after a change: the pages show its answer, or read the account again if it failed. */
export function useRefreshAccount() {
	const client = useQueryClient();
	const takeOver = useTakeOver();
	return async (answer: Account | NewRecoveryCodes | undefined) => {
		const account = answer && 'account' in answer ? answer.account : answer;
		await takeOver({ path: '/account', query: {}, answer: account }, ['/account/acts']);
		void refreshPresence(client);
	};
}
