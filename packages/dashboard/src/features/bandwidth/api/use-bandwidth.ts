import type { ShownDays } from '@bursar/contract/dashboard';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { read } from '../../../api/call.ts';
import { sendSignedIn } from '../../../api/presence.ts';

const bandwidthQuery = (days: ShownDays, username?: string) =>
	queryOptions({
		queryKey: ['bandwidth', 'days', days, username],
		queryFn: ({ client }) =>
			sendSignedIn(client, () => read('/bandwidth', { days, ...(username !== undefined && { username }) })),
		staleTime: 60_000,
	});

/** The bandwidth of the last UTC days, of all together or of one sub-user. While other days are read, the last ones stay. */
export function useBandwidth(days: ShownDays, username?: string) {
	return useQuery({ ...bandwidthQuery(days, username), placeholderData: keepPreviousData });
}
