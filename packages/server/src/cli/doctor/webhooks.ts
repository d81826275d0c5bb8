import { page } from '@bursar/terminal';
import type { Finding } from '../../store/examination.ts';
import type { StoreState } from '../../store/tables/meta/state.ts';

/** How the webhooks of resellers fare. */
export function checkWebhooks({ webhooks }: Pick<StoreState, 'webhooks'>): Finding {
	const { on, failing, switchedOff, copied, off, eventsBehind } = webhooks;
	if (copied > 0) {
		const remedy = `If this store is not a copy any more, run bursar webhooks resume: ${page('docs/operating/backup-and-restore.md', 'After a restore: webhooks')}`;
		return { state: 'warning', text: `Webhooks that are off because this store is a copy: ${copied}.`, remedy };
	}
	if (failing + off > 0) {
		const text = `Webhooks that fail: ${failing}. Webhooks that were switched off because they could not go on: ${off}.`;
		const remedy = `Their resellers have mail about it. If many fail, look whether this machine reaches the internet: ${page('docs/operating/monitoring.md')}`;
		return { state: 'warning', text, remedy };
	}
	if (on + switchedOff === 0) return { state: 'ok', text: 'No reseller has a webhook.' };
	return { state: 'ok', text: `Webhooks that are on: ${on}. Events that they have not reached: ${eventsBehind}.` };
}
