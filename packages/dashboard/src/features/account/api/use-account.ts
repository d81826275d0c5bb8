import type { Account } from '@bursar/contract/dashboard';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { read } from '../../../api/call.ts';
import { refreshPresence, sendSignedIn } from '../../../api/presence.ts';
import { actsQuery } from './use-acts.ts';

const accountQuery = queryOptions({
	queryKey: ['account'],
	queryFn: ({ client }) => sendSignedIn(client, () => read('/account')),
});

/** The person's own account. */
export function useAccount() {
	return useQuery(accountQuery);
}

/** Takes over what a change has answered, or reads again if the change failed. */
export function useNoteAccount() {
	const client = useQueryClient();
	return async (account: Account | undefined) => {
		// A read that is under way may still bring the previous state.
		await client.cancelQueries(accountQuery);
		if (account) client.setQueryData(accountQuery.queryKey, account);
		else void client.invalidateQueries(accountQuery);
		void client.invalidateQueries(actsQuery);
		void refreshPresence(client);
	};
}
