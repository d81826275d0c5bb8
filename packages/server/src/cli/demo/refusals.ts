import type { RefusedOnEdge } from '../../domain/account-refusals.ts';
import { unusableReasonOf } from '../../domain/pair-state.ts';
import type { Store } from '../../store/store.ts';

const MINUTE_MS = 60_000;
/** Clients of each sub-user that tried in vain. */
const COUNTS = [184, 37, 12, 5];
const NETWORK = '192.0.2.0/24';

interface Demo {
	readonly reseller: string;
	readonly usernames: readonly string[];
	readonly edges: readonly string[];
	readonly nowMs: number;
}

/** What edges tell of the clients of sub-users that cannot work now: they went on trying. */
export async function demoRefusals(
	store: Pick<Store, 'readPairBounds'>,
	{ reseller, usernames, edges, nowMs }: Demo,
): Promise<readonly RefusedOnEdge[]> {
	const bounds = await store.readPairBounds({ reseller, usernames, atMs: nowMs });
	const refused = usernames.flatMap((username) => {
		const pair = bounds.get(username);
		const reason = pair ? unusableReasonOf(pair, nowMs) : null;
		return reason === null ? [] : [{ username, reason }];
	});
	return refused.map((each, index) => ({
		...each,
		edge: edges[index % edges.length] as string,
		count: COUNTS[index % COUNTS.length] as number,
		atMs: nowMs - (index * 7 + 2) * MINUTE_MS,
		network: NETWORK,
	}));
}
