import { queryOptions, useQuery } from '@tanstack/react-query';
import { read } from '../../../api/call.ts';
import { sendSignedIn, usePresence } from '../../../api/presence.ts';

const POLL_MS = 5_000;
const FAST_POLL_MS = 2_000;

/** The tokens of the reseller: their tails and times, never a token. */
export const tokenQuery = queryOptions({
	queryKey: ['token'],
	queryFn: ({ client }) => sendSignedIn(client, () => read('/token')),
	staleTime: 0,
});

/** Reads on, so that the page shows what others change. It stops while the page is hidden, and while nobody is signed in. */
export function useTokenState({ isHurried }: { readonly isHurried: boolean }) {
	const isSignedIn = usePresence().data?.person != null;
	return useQuery({
		...tokenQuery,
		enabled: isSignedIn,
		refetchInterval: ({ state }) => (isHurried || state.data?.previous ? FAST_POLL_MS : POLL_MS),
	});
}
