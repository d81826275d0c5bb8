import { normalizeAllowedIp } from '@bursar/contract/allowed-ips';
import {
	type ActFilter,
	type ActKind,
	type AnyAct,
	normalizeEmailPart,
	ROWS_ON_A_PAGE,
	readActDetails,
	type SeenBy,
	type TeamAct,
} from '@bursar/contract/dashboard';
import { normalizeUsername } from '@bursar/contract/username';
import type { ActFilters, StoredAct } from '../../../store/tables/changes/acts.ts';
import { resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { searchedTo } from '../calls/list-page.ts';
import { time } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { allActsFile, isByOperator, teamActsFile } from './acts-files.ts';

type ActivityDependencies = Pick<DashboardDependencies, 'store' | 'nowMs'>;

/** What was done: of a reseller, for its own people, and all of it, for operators. */
export function activityRoutes(calls: Calls, dependencies: ActivityDependencies): void {
	const { store } = dependencies;

	calls.read('/activity', async ({ before, ...filter }, call) =>
		readPage(storedFilter(filter, resellerOf(call)), before, teamActView),
	);
	calls.file('/activity.csv', async ({ zone, ...filter }, call) => ({
		data: teamActsFile({ ...storedFilter(filter, resellerOf(call)), zone }, dependencies),
	}));
	calls.read('/operator/acts', async ({ before, ...filter }) => readPage(storedFilter(filter), before, anyActView));
	calls.file('/operator/acts.csv', async ({ zone, ...filter }) => ({
		data: allActsFile({ ...storedFilter(filter), zone }, dependencies),
	}));

	async function readPage<View>(
		filters: ActFilters,
		before: number = Number.MAX_SAFE_INTEGER,
		view: (act: StoredAct) => View,
	) {
		const { rows, nextBefore, searchedToMs } = await store.searchActs({ ...filters, before, limit: ROWS_ON_A_PAGE });
		return {
			data: {
				acts: rows.map(view),
				next_before: nextBefore,
				searched_to: searchedTo({ found: rows.length, nextBefore, searchedToMs }),
			},
		};
	}
}

/** The filter as the store knows it. */
function storedFilter({ email, address, kind, username, from, to }: ActFilter, reseller?: string) {
	return {
		reseller,
		emailPart: normalizeEmailPart(email ?? '') || undefined,
		address: address === undefined ? undefined : (normalizeAllowedIp(address) ?? address),
		kind,
		// No act is about the empty name.
		username: username === undefined ? undefined : (normalizeUsername(username) ?? ''),
		fromMs: from === undefined ? undefined : Date.parse(from),
		toMs: to === undefined ? undefined : Date.parse(to),
	};
}

function anyActView(act: StoredAct): AnyAct {
	const { email, tokenTail, operatorToken, systemUser, reseller, address } = act;
	const program = { token_tail: tokenTail, operator_token: operatorToken };
	return {
		...actView(act, 'operator'),
		address,
		reseller,
		email,
		...program,
		system_user: systemUser,
		by_operator: isByOperator(act),
	};
}

/** Resellers do not learn who operators are, and where. */
function teamActView(act: StoredAct): TeamAct {
	const { email, tokenTail, address } = act;
	const view = actView(act, 'reseller');
	if (isByOperator(act)) return { ...view, address: null, email: null, token_tail: null, by_operator: true };
	return { ...view, address, email, token_tail: tokenTail, by_operator: false };
}

function actView({ number, kind, target, details, atMs }: StoredAct, seenBy: SeenBy) {
	return { number, kind: kind as ActKind, target, details: readActDetails(details, seenBy), at: time(atMs) };
}
