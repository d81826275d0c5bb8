import type { DashboardReads, SubUserSearch } from '@bursar/contract/dashboard';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { read } from '../../../api/call.ts';
import { sendSignedIn } from '../../../api/presence.ts';

const subUsersQuery = (query: DashboardReads['/sub-users']['query']) =>
	queryOptions({
		queryKey: ['sub-users', 'page', query],
		queryFn: ({ client }) => sendSignedIn(client, () => read('/sub-users', query)),
		placeholderData: keepPreviousData,
	});

/** A page of the sub-users. While another one is read, the previous one stays. */
export function useSubUsers(query: DashboardReads['/sub-users']['query']) {
	return useQuery(subUsersQuery(query));
}

const countQuery = (search: SubUserSearch) =>
	queryOptions({
		queryKey: ['sub-users', 'count', search],
		queryFn: ({ client }) => sendSignedIn(client, () => read('/sub-users/count', search)),
	});

/** How many sub-users there are, or fit a search. It takes longer than a page of them, so a list asks for it afterwards. */
export function useSubUserCount(search: SubUserSearch, { enabled = true }: { readonly enabled?: boolean } = {}) {
	return useQuery({ ...countQuery(search), enabled });
}
