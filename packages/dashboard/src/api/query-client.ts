import { QueryCache, QueryClient } from '@tanstack/react-query';
import { CallError, isPassing } from './call.ts';
import { noteSignedOut } from './presence.ts';

const READ_RETRIES = 2;

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
				retry: (failures, error) => failures < READ_RETRIES && isPassing(error),
				retryDelay: (failures) => 500 * 2 ** failures,
			},
		},
	});
	return client;
}
