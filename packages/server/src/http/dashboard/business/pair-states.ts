import type { PairState } from '@bursar/contract/dashboard';
import { pairStateOf } from '../../../domain/pair-state.ts';
import type { NamedReads, PairBoundsQuery } from '../../../store/tables/accounts/named-accounts.ts';
import { timeOrNull } from '../calls/times.ts';

/** As lists and pages show it. */
export interface ShownState {
	readonly state: PairState;
	readonly opens: string | null;
}

/** The states of accounts of a reseller, by username. One that was deleted meanwhile is missing. */
export async function readPairStates(
	store: Pick<NamedReads, 'readPairBounds'>,
	query: PairBoundsQuery,
): Promise<ReadonlyMap<string, ShownState>> {
	const bounds = await store.readPairBounds(query);
	return new Map(
		[...bounds].map(([username, { opensAtMs, ...each }]) => {
			const state = pairStateOf(each, query.atMs);
			return [username, { state, opens: state === 'limit_reached' ? timeOrNull(opensAtMs) : null }];
		}),
	);
}

/** The state of one account of a reseller. `undefined` if there is no such account. */
export async function readPairState(
	store: Pick<NamedReads, 'readPairBounds'>,
	{ username, ...query }: Omit<PairBoundsQuery, 'usernames'> & { readonly username: string },
): Promise<ShownState | undefined> {
	return (await readPairStates(store, { ...query, usernames: [username] })).get(username);
}
