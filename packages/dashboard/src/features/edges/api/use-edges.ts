import { queryOptions, useQuery } from '@tanstack/react-query';
import { read } from '../../../api/call.ts';
import { sendSignedIn, usePresence } from '../../../api/presence.ts';

const POLL_MS = 10_000;

const edgesQuery = queryOptions({
	queryKey: ['edges'],
	queryFn: ({ client }) => sendSignedIn(client, () => read('/operator/edges')),
	staleTime: 0,
	refetchInterval: POLL_MS,
});

/** The proxy hosts. Reads on. */
export function useEdges() {
	const isSignedIn = usePresence().data?.person != null;
	return useQuery({ ...edgesQuery, enabled: isSignedIn });
}
