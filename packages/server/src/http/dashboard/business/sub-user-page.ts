import {
	type DashboardReads,
	MAX_SEARCH_CHARACTERS,
	type SubUserPage,
	type SubUserSearch,
} from '@bursar/contract/dashboard';
import { usageDayOf } from '../../../domain/usage.ts';
import type { NameSearch, SortedAccount, SubUserQuery } from '../../../store/tables/accounts/sub-users.ts';
import { usedBytesView } from '../../sub-user-limits.ts';
import { readPage, readSearch, sortOf } from '../calls/list-page.ts';
import { time } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { readPairStates } from './pair-states.ts';

interface Whose {
	readonly reseller: string;
	/** Who waits for the reads, if not the reseller. Others do not see its notes. */
	readonly owner?: string;
}

/** A page of the sub-users of a reseller, with what each used in the last 30 days. */
export async function readSubUserPage(
	{ store, nowMs }: Pick<DashboardDependencies, 'store' | 'nowMs'>,
	whose: Whose,
	{ order = 'name', after, before, state, ...wanted }: DashboardReads['/sub-users']['query'],
): Promise<{ readonly data: SubUserPage } | { readonly refused: 'invalid_query' }> {
	const isOwn = whose.owner === undefined;
	const search = nameSearch(wanted, { inNotes: isOwn });
	const atMs = nowMs();
	const span = lastDays(atMs);
	const { by, descends } = sortOf<SubUserQuery['by']>(order);
	const page = await readPage<SortedAccount>(
		{ ...(after !== undefined && { after }), ...(before !== undefined && { before }) },
		{
			byName: by === 'name',
			valueOfRow: (row) => VALUES[by](row),
			async list(position, backwards, limit) {
				if (!search) return [];
				const inState = state && { state, atMs };
				const rows = { ...whose, search, inState, by, used: span, descends: descends !== backwards };
				return store.listSubUsersBy({ ...rows, after: position, limit });
			},
		},
	);
	if (!page) return { refused: 'invalid_query' };
	const usernames = page.rows.map(({ username }) => username);
	const [summed, used, states, price] = await Promise.all([
		store.sumUsage({ ...whose, usernames, ...span }),
		store.readUsed({ ...whose, usernames, atMs }),
		readPairStates(store, { ...whose, usernames, atMs }),
		store.findPrice(whose.reseller),
	]);
	const subUsers = page.rows.flatMap(({ username, balanceCents, createdAtMs, note }) => {
		const found = states.get(username);
		const { bytesUp = 0, bytesDown = 0 } = summed.get(username) ?? {};
		const bytes = { up: bytesUp, down: bytesDown, used: usedBytesView(used.get(username)) };
		const shown = { created: time(createdAtMs), note: isOwn ? (note ?? '') : '' };
		return found ? [{ username, balance: balanceCents, ...found, ...bytes, ...shown }] : [];
	});
	const { next, previous } = page;
	return { data: { sub_users: subUsers, next, previous, price: price?.microUsdPerGb ?? null } };
}

const SHOWN_DAYS = 30;

/** The UTC days whose bandwidth is shown beside a sub-user. */
export function lastDays(nowMs: number): { readonly firstDay: number; readonly lastDay: number } {
	const lastDay = usageDayOf(nowMs);
	return { firstDay: lastDay - (SHOWN_DAYS - 1), lastDay };
}

/** For people of the reseller, `anywhere` is also in the notes. `undefined` if nothing can be found. */
export function nameSearch(
	{ search = '', match = 'beginning' }: SubUserSearch,
	{ inNotes }: { readonly inNotes: boolean },
): NameSearch | undefined {
	if (match === 'anywhere' && inNotes) {
		const isText = search.length <= MAX_SEARCH_CHARACTERS && !/\p{Cc}/u.test(search);
		return isText ? { text: search.trim().toLowerCase(), match: 'name_or_note' } : undefined;
	}
	const text = readSearch(search);
	return text === undefined ? undefined : { text, match };
}

const VALUES: Readonly<Record<SubUserQuery['by'], (row: SortedAccount) => number>> = {
	name: () => 0,
	balance: ({ balanceCents }) => balanceCents,
	created: ({ createdAtMs }) => createdAtMs,
	bandwidth: ({ usedBytes = 0 }) => usedBytes,
};
