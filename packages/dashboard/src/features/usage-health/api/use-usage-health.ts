import { queryOptions, useQuery } from '@tanstack/react-query';
import { read } from '../../../api/call.ts';
import { sendSignedIn } from '../../../api/presence.ts';

const usageHealthQuery = queryOptions({
	queryKey: ['usage-health'],
	queryFn: ({ client }) => sendSignedIn(client, () => read('/operator/usage')),
});

/** What became of the reports of bandwidth. */
export function useUsageHealth() {
	return useQuery(usageHealthQuery);
}
