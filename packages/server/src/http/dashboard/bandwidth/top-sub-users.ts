import type { TopSubUsers } from '@bursar/contract/dashboard';
import { OPERATORS } from '../../../store/reading.ts';
import type { BandwidthReads, TopOfBandwidth } from '../../../store/tables/usage/bandwidth.ts';
import type { AskedSpans } from '../../bandwidth/asked-spans.ts';
import { createReadCache } from '../business/read-cache.ts';
import { time } from '../calls/times.ts';

/** @bound Sub-users that used most that a list shows: the rest is one row. */
const TOP = 10;

interface TopDependencies {
	readonly store: Pick<BandwidthReads, 'readTopOfBandwidth'>;
	readonly nowMs: () => number;
}

/** The sub-users that used most: of a reseller or, for `OPERATORS`, of all. */
export function createTopSubUsers({ store, nowMs }: TopDependencies) {
	return createReadCache<TopSubUsers, AskedSpans>({
		nowMs,
		keyOf: ({ unit, first, last }) => `${unit} ${first} ${last}`,
		async read(owner, spans, readAtMs) {
			const reseller = owner === OPERATORS ? undefined : owner;
			const top = await store.readTopOfBandwidth({ ...spans, reseller, limit: TOP, owner });
			return topView(top, readAtMs);
		},
	});
}

function topView({ subUsers, all }: TopOfBandwidth, readAtMs: number): TopSubUsers {
	const sumOf = (values: readonly (number | null)[]) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
	return {
		as_of: time(readAtMs),
		sub_users: subUsers.map(({ reseller, username, bytesUp: up, bytesDown: down, costCents: cost }) => {
			return { reseller, username, up, down, cost };
		}),
		others: {
			up: all.bytesUp - sumOf(subUsers.map(({ bytesUp }) => bytesUp)),
			down: all.bytesDown - sumOf(subUsers.map(({ bytesDown }) => bytesDown)),
			// What an account carries from days before can be some cents more than all together.
			cost:
				all.costCents === null ? null : Math.max(0, all.costCents - sumOf(subUsers.map(({ costCents }) => costCents))),
			sub_users: all.subUsers - subUsers.length,
		},
	};
}
