import type { Bandwidth, BandwidthDivision, BandwidthFilter, BandwidthTime } from '@bursar/contract/dashboard';
import { OPERATORS } from '../../../store/reading.ts';
import { askedSpans } from '../../bandwidth/asked-spans.ts';
import type { AskedBandwidth } from '../../bandwidth/sums.ts';
import { findReseller, findSubUserName } from '../business/accounts.ts';
import { createReadCache } from '../business/read-cache.ts';
import { resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import type { Refused } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { readBandwidth } from './bandwidth.ts';
import { bandwidthFile } from './bandwidth-file.ts';
import { createTopSubUsers } from './top-sub-users.ts';

/**
 * How many answers are kept. They are larger than those of other reads.
 * @bound Answers about bandwidth that are kept: the oldest are forgotten.
 */
const MAX_ANSWERS = 200;

type AskedQuery = BandwidthTime & BandwidthFilter & { readonly by?: BandwidthDivision | undefined };

/** Bandwidth by hour and by day, for resellers and operators. */
export function bandwidthRoutes(
	calls: Calls,
	dependencies: Pick<DashboardDependencies, 'store' | 'accounts' | 'nowMs'>,
): void {
	const { store, accounts, nowMs } = dependencies;
	const readTop = createTopSubUsers(dependencies);
	const readKept = createReadCache<Bandwidth, AskedBandwidth>({
		nowMs,
		most: MAX_ANSWERS,
		keyOf: ({ reseller, edge, by, spans: { unit, first, last } }) => [reseller, edge, by, unit, first, last].join('/'),
		read: (_owner, asked, readAtMs) => readBandwidth(store, asked, readAtMs),
	});

	/** `reseller`: `undefined` for all of them. `owner`: the owner of the read. */
	async function understand(
		reseller: string | undefined,
		{ username: typedName, edge, by, ...asked }: AskedQuery,
		owner: string,
	): Promise<AskedBandwidth | Refused> {
		const spans = askedSpans(asked, nowMs());
		const given = [typedName, edge, by].filter((value) => value !== undefined);
		const isImpossible = reseller === undefined ? by === 'sub_user' || typedName !== undefined : by === 'reseller';
		if (!spans || given.length > 1 || isImpossible) return { refused: 'invalid_query' };
		if (reseller === undefined || typedName === undefined) return { reseller, edge, by, spans, owner };
		const username = await findSubUserName(dependencies, reseller, typedName, owner);
		if (username !== undefined) return { reseller, username, spans, owner };
		return { refused: owner === OPERATORS ? 'unknown_account' : 'unknown_sub_user' };
	}

	/** What adds up many rows is kept for a while. */
	function read(asked: AskedBandwidth): Promise<Bandwidth> {
		const isHeavy = asked.by !== undefined || asked.reseller === undefined;
		return isHeavy ? readKept(asked.owner, asked) : readBandwidth(store, asked, nowMs());
	}

	calls.read('/bandwidth', async (query, call) => {
		const reseller = resellerOf(call);
		const asked = await understand(reseller, query, reseller);
		return 'refused' in asked ? asked : { data: await read(asked) };
	});

	calls.read('/bandwidth/top', async (query, call) => {
		const spans = askedSpans(query, nowMs());
		return spans ? { data: await readTop(resellerOf(call), spans) } : { refused: 'invalid_query' };
	});

	calls.read('/operator/bandwidth/top', async (query) => {
		const spans = askedSpans(query, nowMs());
		return spans ? { data: await readTop(OPERATORS, spans) } : { refused: 'invalid_query' };
	});

	calls.read('/operator/bandwidth', async ({ reseller: typedName, ...query }) => {
		const account = typedName === undefined ? undefined : await findReseller(accounts, typedName);
		if (typedName !== undefined && account === undefined) return { refused: 'unknown_reseller' };
		const asked = await understand(account?.username, query, OPERATORS);
		return 'refused' in asked ? asked : { data: await read(asked) };
	});

	calls.file('/bandwidth.csv', async ({ zone, ...query }, call) => {
		const reseller = resellerOf(call);
		const asked = await understand(reseller, query, reseller);
		return 'refused' in asked ? asked : { data: bandwidthFile(asked, zone, nowMs(), () => read(asked)) };
	});
}
