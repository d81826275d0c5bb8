import type { ResellerDetails } from '@bursar/contract/dashboard';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { read } from '../../../api/call.ts';
import { sendSignedIn, usePresence } from '../../../api/presence.ts';
import { RESELLERS_KEY } from './use-resellers.ts';

const POLL_MS = 10_000;

function resellerQuery(reseller: string) {
	return queryOptions({
		queryKey: ['reseller', reseller],
		queryFn: ({ client }) => sendSignedIn(client, () => read('/operator/reseller', { reseller })),
	});
}

/** One reseller. Reads on, because its programs move money meanwhile. */
export function useReseller(reseller: string) {
	const isSignedIn = usePresence().data?.person != null;
	return useQuery({ ...resellerQuery(reseller), enabled: isSignedIn, refetchInterval: POLL_MS });
}

/** Takes over what a change of a reseller has answered, or reads again if it is not known how it stands. */
export function useNoteReseller() {
	const client = useQueryClient();
	return async (reseller: string, details?: ResellerDetails) => {
		const query = resellerQuery(reseller);
		// A read that is under way may still bring the previous state.
		await client.cancelQueries(query);
		if (details) client.setQueryData(query.queryKey, details);
		else void client.invalidateQueries(query);
		void client.invalidateQueries({ queryKey: RESELLERS_KEY });
		void client.invalidateQueries({ queryKey: ['statement', reseller] });
	};
}
