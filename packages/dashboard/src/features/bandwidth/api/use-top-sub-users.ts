import type { ShownDays } from '@bursar/contract/dashboard';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { read } from '../../../api/call.ts';
import { sendSignedIn } from '../../../api/presence.ts';

const topQuery = (days: ShownDays) =>
	queryOptions({
		queryKey: ['bandwidth', 'top', days],
		queryFn: ({ client }) => sendSignedIn(client, () => read('/bandwidth/top', { days })),
		staleTime: 60_000,
	});

/** The ten sub-users that used most. */
export function useTopSubUsers(days: ShownDays) {
	return useQuery({ ...topQuery(days), placeholderData: keepPreviousData });
}
