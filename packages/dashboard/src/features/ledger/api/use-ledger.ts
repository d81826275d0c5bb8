import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { newActId } from '../../../api/act-id.ts';
import { read } from '../../../api/call.ts';
import { sendSignedIn, usePresence } from '../../../api/presence.ts';
import { useChange } from '../../../api/use-change.ts';

const POLL_MS = 10_000;
const FAST_POLL_MS = 1_000;

const ledgerQuery = queryOptions({
	queryKey: ['ledger'],
	queryFn: ({ client }) => sendSignedIn(client, () => read('/operator/ledger')),
	staleTime: 0,
});

/** The verifications of the ledger. Reads on, faster while one runs. */
export function useLedger() {
	const isSignedIn = usePresence().data?.person != null;
	return useQuery({
		...ledgerQuery,
		enabled: isSignedIn,
		refetchInterval: ({ state }) => (state.data?.running ? FAST_POLL_MS : POLL_MS),
	});
}

/** Begins a verification. If one runs already, that one is shown. */
export function useVerifyLedger() {
	const client = useQueryClient();
	const change = useChange('/operator/ledger/verify');
	return {
		isBusy: change.isBusy,
		failure: change.failure,
		async run() {
			const health = await change.run({ act: newActId() });
			await client.cancelQueries(ledgerQuery);
			if (health) client.setQueryData(ledgerQuery.queryKey, health);
			else void client.invalidateQueries(ledgerQuery);
		},
	};
}
