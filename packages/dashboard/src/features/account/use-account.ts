import type { Account, NewRecoveryCodes } from '@bursar/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { refreshPresence } from '../../calls/presence.ts';
import { useTakeOver } from '../../calls/use-read.ts';

/** Takes over what a change has answered, or reads again if the change failed. */
export function useNoteAccount() {
	const client = useQueryClient();
	const takeOver = useTakeOver();
	return async (answer: Account | NewRecoveryCodes | undefined) => {
		const account = answer && 'account' in answer ? answer.account : answer;
		await takeOver({ path: '/account', query: {}, answer: account }, ['/account/acts']);
		void refreshPresence(client);
	};
}
