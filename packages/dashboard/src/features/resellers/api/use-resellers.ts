import type { DashboardReads } from '@bursar/contract/dashboard';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { read } from '../../../api/call.ts';
import { sendSignedIn } from '../../../api/presence.ts';

type ResellersQuery = DashboardReads['/operator/resellers']['query'];

export const RESELLERS_KEY = ['resellers'];

/** A page of the platform's resellers, by name. */
export function useResellers(query: ResellersQuery) {
	return useQuery(
		queryOptions({
			queryKey: [...RESELLERS_KEY, query],
			queryFn: ({ client }) => sendSignedIn(client, () => read('/operator/resellers', query)),
			placeholderData: keepPreviousData,
		}),
	);
}
