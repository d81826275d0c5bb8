import { type Found, SEARCH_HITS } from '@bursar/contract/dashboard';
import { isLiveToken } from '../../../domain/token.ts';
import { usageHourOf } from '../../../domain/usage-hours.ts';
import { hostOf } from '../../../domain/webhooks/webhook.ts';
import { OPERATORS } from '../../../store/reading.ts';
import { refusalsForPeople } from '../../sub-user-refusals.ts';
import { resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { type Asked, askedOf, usualNetworks } from './asked.ts';
import { findAddress, findReferences, findTopUps, findTraces, type SearchStore } from './find-in-ledger.ts';

const NOTHING: Found = {
	...{ resellers: [], sub_users: [], deleted_sub_users: [], people: [], tokens: [], webhooks: [], edges: [] },
	...{ movements: [], payments: [], top_ups: [], changes: [], acts: [], references: [], address: null, looked_at: {} },
};

/** The search over everything that the caller may see. An empty text finds nothing. */
export function searchRoutes(calls: Calls, { store, nowMs }: Pick<DashboardDependencies, 'store' | 'nowMs'>): void {
	calls.read('/search', async ({ text }, call) => ({
		data: await findAll(askedOf(text), resellerOf(call), (asked, reseller) =>
			findOwn(store, asked, { reseller, nowMs: nowMs() }),
		),
	}));
	calls.read('/operator/search', async ({ text }) => ({
		data: await findAll(askedOf(text), null, (asked) => findEverywhere(store, asked, nowMs())),
	}));

	/** Heavy reads come one after the other, so a search takes one place among those that wait. */
	async function findAll<Whose extends string | null>(
		asked: Asked,
		reseller: Whose,
		findNames: (asked: Asked, reseller: Whose) => Promise<Partial<Found>>,
	): Promise<Found> {
		if (asked.part === '') return NOTHING;
		const names = await findNames(asked, reseller);
		const traces = await findTraces(store, asked, reseller);
		const references = await findReferences(store, asked, reseller);
		const topUps = await findTopUps(store, asked, reseller);
		const address = await findAddress(store, asked, reseller);
		const lookedAt = { ...names.looked_at, ...references.looked_at, ...address.looked_at };
		return { ...NOTHING, ...names, ...traces, ...references, ...topUps, ...address, looked_at: lookedAt };
	}
}

/** What a reseller has by names, notes and ends of tokens. */
async function findOwn(
	store: SearchStore,
	{ part, username, tail, address }: Asked,
	{ reseller, nowMs }: { readonly reseller: string; readonly nowMs: number },
): Promise<Partial<Found>> {
	const networks = address === undefined ? [] : usualNetworks(address);
	const [found, deletion, team, tokens, webhooks] = await Promise.all([
		store.searchSubUsers({ reseller, text: part, networks, limit: SEARCH_HITS }),
		username === undefined ? undefined : store.findDeletion(reseller, username),
		store.listPeopleOf(reseller, reseller),
		store.listTokens(reseller),
		store.listWebhooks(reseller),
	]);
	const ownTokens = tokens
		.filter((token) => isLiveToken(token, nowMs))
		.map(({ tail: end, further }) => ({ name: further?.name ?? null, tail: end, reseller }))
		.filter((token) => isToken(token, part, tail));
	return {
		sub_users: found.rows.map(({ username: name, note }) => {
			return { username: name, reseller, note: note ?? '', refused: null };
		}),
		deleted_sub_users: deletion ? [{ username: deletion.username, reseller }] : [],
		people: first(team.map(({ email }) => ({ email, reseller })).filter(({ email }) => email.includes(part))),
		tokens: first(ownTokens),
		webhooks: webhookHits(webhooks, part),
		...(found.lookedAt !== null && { looked_at: { sub_users: found.lookedAt } }),
	};
}

/** The same of all resellers, and of the operator. */
async function findEverywhere(
	store: SearchStore,
	{ part, username, tail }: Asked,
	nowMs: number,
): Promise<Partial<Found>> {
	const [resellers, found, deletedOf, people, edges, ofOperator] = await Promise.all([
		store.searchResellers(part, SEARCH_HITS),
		store.searchAllSubUsers(part, SEARCH_HITS),
		username === undefined ? undefined : store.findResellerOfDeleted(username),
		store.searchPeople(part, SEARCH_HITS),
		store.listEdges(),
		store.listOperatorTokens(),
	]);
	const ofResellers = await store.searchTokens({ tail, text: part, nowMs, limit: SEARCH_HITS });
	const ownTokens = ofOperator
		.filter(({ expiresAtMs }) => expiresAtMs > nowMs)
		.map(({ name, tail: end }) => ({ name, tail: end, reseller: null }))
		.filter((token) => isToken(token, part, tail));
	const isEdge = ({ name, keyTail }: (typeof edges)[number]) => name.includes(part) || keyTail === tail;
	return {
		resellers,
		sub_users: await withRefusals(store, found.rows, nowMs),
		deleted_sub_users: username === undefined || deletedOf === undefined ? [] : [{ username, reseller: deletedOf }],
		people,
		tokens: first([...ownTokens, ...ofResellers]),
		webhooks: webhookHits(await store.listWebhookHosts(part), part),
		edges: first(edges.filter(isEdge).map(({ name }) => name)),
		...(found.lookedAt !== null && { looked_at: { sub_users: found.lookedAt } }),
	};
}

function isToken(token: Found['tokens'][number], part: string, tail: string | undefined): boolean {
	return token.tail === tail || token.name?.toLowerCase().includes(part) === true;
}

/** The path of a webhook may be secret, so only its host is looked at. */
function webhookHits(
	webhooks: readonly { readonly id: string; readonly reseller: string; readonly url: string }[],
	part: string,
): Found['webhooks'] {
	const hits = webhooks.map(({ id, reseller, url }) => ({ id, reseller, host: hostOf(url) }));
	return first(hits.filter(({ host }) => host.includes(part)));
}

/** A customer who complains was lately refused. So the hit says it. */
async function withRefusals(
	store: SearchStore,
	found: readonly { readonly username: string; readonly reseller: string }[],
	nowMs: number,
): Promise<Found['sub_users']> {
	const sinceMs = nowMs - DAY_MS;
	const usernames = found.map(({ username }) => username);
	const hours = await store.listRefusals({ owner: OPERATORS, usernames, firstHour: usageHourOf(sinceMs) });
	return found.map((subUser) => {
		const own = hours.filter(({ username, atMs }) => username === subUser.username && atMs >= sinceMs);
		// The last one comes first.
		const [last] = refusalsForPeople(own.slice(0, 1));
		const refused = last ? { at: last.at, edge: last.edge, reason: last.reason } : null;
		return { ...subUser, note: '', refused };
	});
}

function first<Hit>(hits: readonly Hit[]): readonly Hit[] {
	return hits.slice(0, SEARCH_HITS);
}

const DAY_MS = 86_400_000;
