import { actId } from '../call.ts';
import type { Calls } from '../calls.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { time } from '../times.ts';

/** What a change with an id did. */
export function changeCalls(calls: Calls, { store }: Pick<OperatorDependencies, 'store'>): void {
	calls.answer('viewChange', async ({ change_id }) => {
		const act = await store.findAct(actId(change_id));
		if (!act) return { data: null };
		const { kind, reseller, target, operatorToken, atMs, requestId } = act;
		const done = { change_id, kind, reseller, target, token: operatorToken ?? '' };
		return { data: { ...done, timestamp: time(atMs), request_id: requestId } };
	});
}
