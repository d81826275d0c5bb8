import { QueryClient } from '@tanstack/react-query';
import { isPassing } from './call.ts';

const READ_RETRIES = 2;

/** What was read from the service. Changes are never kept here: see `useChange`. */
export function createQueryClient(): QueryClient {
	return new QueryClient({
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
}
