import { detailsText, readActDetails } from '@bursar/contract/dashboard';
import type { DataOf, operatorOperations } from '@bursar/contract/operator';
import type { ActReads } from '../../store/tables/changes/acts.ts';
import { actId } from './call.ts';
import { time } from './times.ts';

type DoneChange = NonNullable<DataOf<(typeof operatorOperations)['viewChange']>>;

/** What the change with this id did; `null` if there is no such change. */
export async function readChange(store: Pick<ActReads, 'findAct'>, changeId: string): Promise<DoneChange | null> {
	const act = await store.findAct(actId(changeId));
	if (!act) return null;
	const { kind, reseller, target, operatorToken, atMs, requestId } = act;
	const details = detailsText(readActDetails(act.details, 'operator'));
	const done = { change_id: changeId, kind, reseller, target, details, token: operatorToken ?? '' };
	return { ...done, timestamp: time(atMs), request_id: requestId };
}
