import type { TopSubUsers } from '@bursar/contract/dashboard';
import type { BandwidthReads } from '../../../store/tables/usage/bandwidth.ts';
import type { AskedSpans } from '../../bandwidth/asked-spans.ts';
import { partsOf } from '../../bandwidth/sums.ts';
import { createReadCache } from '../business/read-cache.ts';
import { time } from '../calls/times.ts';

const TOP = 10;

interface TopDependencies {
	readonly store: Pick<BandwidthReads, 'listBandwidth' | 'listBandwidthParts'>;
	readonly nowMs: () => number;
}

/** The sub-users of a reseller that used most. */
export function createTopSubUsers({ store, nowMs }: TopDependencies) {
	return createReadCache<TopSubUsers, AskedSpans>({
		nowMs,
		keyOf: ({ unit, first, last }) => `${unit} ${first} ${last}`,
		async read(reseller, spans, readAtMs) {
			const query = { ...spans, reseller, by: 'sub_user', limit: TOP, owner: reseller } as const;
			const parts = partsOf(await store.listBandwidthParts(query), spans);
			// Read afterwards, so that it has what the parts have.
			const all = await store.listBandwidth({ ...spans, reseller, owner: reseller });
			const sum = (direction: 'bytesUp' | 'bytesDown') => all.reduce((bytes, span) => bytes + span[direction], 0);
			return {
				as_of: time(readAtMs),
				sub_users: parts.map(({ name, up, down }) => ({ username: name, up, down })),
				all: { up: sum('bytesUp'), down: sum('bytesDown') },
			};
		},
	});
}
