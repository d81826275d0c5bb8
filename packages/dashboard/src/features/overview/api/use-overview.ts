import { queryOptions, useQuery } from '@tanstack/react-query';
import { read } from '../../../api/call.ts';
import { sendSignedIn, usePresence } from '../../../api/presence.ts';

const POLL_MS = 30_000;

export const overviewQuery = queryOptions({
	queryKey: ['overview'],
	queryFn: ({ client }) => sendSignedIn(client, () => read('/overview')),
});

/** The balance of the reseller. The API's programs and other people change it meanwhile, so it is read on. */
export function useOverview() {
	const isSignedIn = usePresence().data?.person != null;
	return useQuery({ ...overviewQuery, enabled: isSignedIn, refetchInterval: POLL_MS });
}
