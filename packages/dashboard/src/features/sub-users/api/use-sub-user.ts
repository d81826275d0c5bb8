import { queryOptions, useQuery } from '@tanstack/react-query';
import { read } from '../../../api/call.ts';
import { sendSignedIn, usePresence } from '../../../api/presence.ts';

const POLL_MS = 30_000;

export const subUserQuery = (username: string) =>
	queryOptions({
		queryKey: ['sub-user', username],
		queryFn: ({ client }) => sendSignedIn(client, () => read('/sub-user', { username })),
	});

/** One sub-user, and the balance of the reseller. */
export function useSubUser(username: string) {
	const isSignedIn = usePresence().data?.person != null;
	return useQuery({ ...subUserQuery(username), enabled: isSignedIn, refetchInterval: POLL_MS });
}
