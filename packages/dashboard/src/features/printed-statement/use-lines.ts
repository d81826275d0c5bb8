import type { LinesQuery, Movement, PeriodSummary, StatementLines } from '@bursar/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../calls/call.ts';
import { sendSignedIn } from '../../calls/presence.ts';

/** @bound Lines of a printed statement: it says that there are more. */
const MOST_LINES = 2_000;
/** @bound Calls for one printed statement: it says that there are more. */
const MOST_CALLS = 200;

/**
 * The movements of a period, the oldest first: all of them, or the first ones if they are too many to print. They never
 * change, so they are read once.
 */
export function useLines(reseller: string | undefined, { first, end }: Pick<PeriodSummary, 'first' | 'end'>) {
	return useQuery<readonly Movement[]>({
		queryKey: ['printed-lines', reseller ?? null, first, end],
		queryFn: ({ client, signal }) =>
			readLines({ from: first, before: end }, (query) =>
				sendSignedIn(client, () =>
					reseller === undefined
						? read('/statement/lines', query, signal)
						: read('/operator/statement/lines', { ...query, reseller }, signal),
				),
			),
		staleTime: Number.POSITIVE_INFINITY,
	});
}

/** Asks for lines until there are no more, or enough. */
export async function readLines(
	{ from, before }: LinesQuery,
	ask: (query: LinesQuery) => Promise<StatementLines>,
): Promise<readonly Movement[]> {
	const lines: Movement[] = [];
	let next: number | null = from;
	for (let calls = 0; next !== null && lines.length < MOST_LINES && calls < MOST_CALLS; calls++) {
		const { movements, next_from }: StatementLines = await ask({ from: next, before });
		lines.push(...movements);
		next = next_from;
	}
	return lines.slice(0, MOST_LINES);
}
