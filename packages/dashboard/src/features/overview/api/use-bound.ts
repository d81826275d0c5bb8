import { useQueryClient } from '@tanstack/react-query';
import { useAct } from '../../../api/use-act.ts';
import { overviewQuery } from './use-overview.ts';

/** Sets below which balance the overview warns. */
export function useBound() {
	const act = useAct('/overview/low-balance');
	const client = useQueryClient();

	async function set(bound: number | null) {
		const answer = await act.send({ low_balance: bound });
		// A read that is under way may still bring the previous bound.
		await client.cancelQueries(overviewQuery);
		if (answer) client.setQueryData(overviewQuery.queryKey, answer);
		else void client.invalidateQueries(overviewQuery);
		if (answer) act.close();
	}

	return { ...act, set };
}
