import type { MovementFilter } from '@bursar/contract/dashboard';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { nextStepOf } from '../../../api/bounded-search.ts';
import { read } from '../../../api/call.ts';
import { sendSignedIn } from '../../../api/presence.ts';

export interface StatementQuery {
	/** Of this reseller, for an operator. Absent: of the reseller to which the person belongs. */
	readonly reseller?: string | undefined;
	readonly filter: MovementFilter;
	/** Only movements with a smaller number. Absent: from the newest on. */
	readonly before?: number | undefined;
}

function statementQuery({ reseller, filter, before: first }: StatementQuery) {
	return infiniteQueryOptions({
		queryKey: ['statement', reseller ?? null, filter, first ?? null],
		queryFn: ({ client, pageParam }) => {
			const query = { ...filter, ...(pageParam !== undefined && { before: pageParam }) };
			return sendSignedIn(client, () =>
				reseller === undefined ? read('/statement', query) : read('/operator/statement', { ...query, reseller }),
			);
		},
		initialPageParam: first,
		getNextPageParam: (_last, steps) => nextStepOf(steps, steps.flatMap(({ movements }) => movements).length),
		// Movements never change, so only the newest page can get old.
		...(first !== undefined && { staleTime: Number.POSITIVE_INFINITY }),
		placeholderData: keepPreviousData,
	});
}

/** A page of a statement, which grows by the steps of its search. */
export function useStatement(query: StatementQuery, { enabled = true }: { readonly enabled?: boolean } = {}) {
	return useInfiniteQuery({ ...statementQuery(query), enabled });
}
