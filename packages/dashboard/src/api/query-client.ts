import { QueryCache, QueryClient } from '@tanstack/react-query';
import { type CallCode, CallError } from './call.ts';
import { noteSignedOut } from './presence.ts';

const READ_RETRIES = 2;
/** After these failures, the same read may succeed soon. */
const PASSING: readonly CallCode[] = ['lost', 'unavailable', 'outcome_unknown', 'internal_error', 'request_timeout'];

/** What was read from the service. Changes are never kept here: see `useChange`. */
export function createQueryClient(): QueryClient {
	const client: QueryClient = new QueryClient({
		queryCache: new QueryCache({
			onError(error) {
				if (error instanceof CallError && error.code === 'signed_out') noteSignedOut(client);
			},
		}),
		defaultOptions: {
			queries: {
				// The browser may believe that it is offline although the service is on the same machine.
				networkMode: 'always',
				refetchOnReconnect: true,
				staleTime: 5_000,
				retry: (failures, error) =>
					failures < READ_RETRIES && error instanceof CallError && PASSING.includes(error.code),
				retryDelay: (failures) => 500 * 2 ** failures,
			},
		},
	});
	return client;
}
