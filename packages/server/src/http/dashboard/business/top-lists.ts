import type { ShownDays, TopSubUsers } from '@bursar/contract/dashboard';
import { usageDayOf } from '../../../domain/usage.ts';
import type { SubUserReads } from '../../../store/reads/sub-user-reads.ts';
import { time } from '../calls/times.ts';
import { createKeptLists } from './kept-lists.ts';

const TOP = 10;

interface TopListDependencies {
	readonly store: Pick<SubUserReads, 'listTopSubUsers'>;
	readonly nowMs: () => number;
}

/** The sub-users of a reseller that used most. */
export function createTopLists({ store, nowMs }: TopListDependencies) {
	return createKeptLists<TopSubUsers, ShownDays>({
		nowMs,
		async make(reseller, days, madeAtMs) {
			const lastDay = usageDayOf(madeAtMs);
			const rows = await store.listTopSubUsers({ reseller, firstDay: lastDay - (days - 1), lastDay, limit: TOP });
			const subUsers = rows.map(({ username, bytesUp, bytesDown }) => ({ username, up: bytesUp, down: bytesDown }));
			return { as_of: time(madeAtMs), sub_users: subUsers };
		},
	});
}
