import type { ShownDays, TopSubUsers } from '@bursar/contract/dashboard';
import { usageDayOf } from '../../../domain/usage.ts';
import type { SubUserReads } from '../../../store/reads/sub-user-reads.ts';
import { keepNewest } from '../../server/keep-newest.ts';
import { time } from '../calls/times.ts';

const TOP = 10;
/** How old a list may be, in milliseconds. */
const LIST_LIFE_MS = 5 * 60_000;
/** How long a list that could not be made is not tried again, in milliseconds: it may be what keeps the store busy. */
const FAILURE_LIFE_MS = 60_000;
/** How many lists are kept. */
const KEPT_LISTS = 1_000;

interface TopListDependencies {
	readonly store: Pick<SubUserReads, 'listTopSubUsers'>;
	readonly nowMs: () => number;
}

/** A list, or why it could not be made. */
interface KeptList {
	readonly madeAtMs: number;
	readonly lifeMs: number;
	readonly list?: TopSubUsers;
	readonly cause?: unknown;
}

/**
 * The sub-users of a reseller that used most. To add them up takes about a second of the store, so each list is kept
 * for a while, and one of a reseller is made at a time.
 */
export function createTopLists({ store, nowMs }: TopListDependencies) {
	const kept = new Map<string, KeptList>();
	const underWay = new Map<string, { readonly key: string; readonly list: Promise<TopSubUsers> }>();

	async function make(reseller: string, days: ShownDays, madeAtMs: number): Promise<TopSubUsers> {
		const lastDay = usageDayOf(madeAtMs);
		const rows = await store.listTopSubUsers({ reseller, firstDay: lastDay - (days - 1), lastDay, limit: TOP });
		const subUsers = rows.map(({ username, bytesUp, bytesDown }) => ({ username, up: bytesUp, down: bytesDown }));
		return { as_of: time(madeAtMs), sub_users: subUsers };
	}

	async function makeAndKeep(reseller: string, days: ShownDays, key: string): Promise<TopSubUsers> {
		const madeAtMs = nowMs();
		try {
			const list = await make(reseller, days, madeAtMs);
			keepNewest(kept, key, { madeAtMs, lifeMs: LIST_LIFE_MS, list }, KEPT_LISTS);
			return list;
		} catch (cause) {
			keepNewest(kept, key, { madeAtMs: nowMs(), lifeMs: FAILURE_LIFE_MS, cause }, KEPT_LISTS);
			throw cause;
		}
	}

	return async (reseller: string, days: ShownDays): Promise<TopSubUsers> => {
		const key = `${reseller} ${days}`;
		for (;;) {
			const found = kept.get(key);
			// The clock may have been set back.
			if (found && Math.abs(nowMs() - found.madeAtMs) < found.lifeMs) {
				if (found.list) return found.list;
				throw found.cause;
			}
			const other = underWay.get(reseller);
			if (other?.key === key) return other.list;
			if (!other) break;
			await other.list.catch(() => undefined);
		}
		const list = makeAndKeep(reseller, days, key).finally(() => underWay.delete(reseller));
		underWay.set(reseller, { key, list });
		return list;
	};
}
