import type { Calls } from '../calls.ts';
import { readChange } from '../change-view.ts';
import type { OperatorDependencies } from '../dependencies.ts';

/** What a change with an id did. */
export function changeCalls(calls: Calls, { store }: Pick<OperatorDependencies, 'store'>): void {
	calls.answer('viewChange', async ({ change_id }) => ({ data: await readChange(store, change_id) }));
}
