import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints, type SubUser } from '@bursar/contract';
import { requestOf, sendEach } from './load.ts';
import { runBursar, startBursar } from './servers.ts';
import type { Store } from './stores.ts';

/** A reseller in a filled store. */
export interface Reseller {
	readonly username: string;
	readonly token: string;
}

/** An edge in a filled store, and the pairs that it can check. */
export interface SeededEdge {
	readonly key: string;
	readonly pairs: readonly { readonly username: string; readonly password: string }[];
}

/** Enough for any benchmark. */
const BALANCE_CENTS = 1_000_000_000_000;
const CONNECTIONS = 64;
/** So many different requests are made in advance. */
const PREPARED = 20_000;

/** Creates resellers, by the command line of a checkout. */
export async function createResellers(
	store: Store,
	usernames: readonly string[],
	{ balanceCents = BALANCE_CENTS, checkout }: { balanceCents?: number; checkout?: string | undefined } = {},
): Promise<readonly Reseller[]> {
	const resellers: Reseller[] = [];
	for (const username of usernames) {
		// Other checkouts may be older than `--balance`.
		const args = ['reseller', 'create', username, '--balance-cents', String(balanceCents)];
		const { token } = await runBursar(store, args, { checkout });
		resellers.push({ username, token });
	}
	return resellers;
}

/** Creates the same number of sub-users for each reseller, by the API of a service. */
export async function createSubUsers(url: string, resellers: readonly Reseller[], subUsers: number): Promise<void> {
	const requests = resellers.flatMap(({ username, token }) =>
		Array.from({ length: subUsers }, (_, number) =>
			requestOf(endpoints.createSubUser.path, token, { username: subUserName(username, number) }),
		),
	);
	await sendEach(url, requests, CONNECTIONS);
}

/** Fills a store with resellers and sub-users, by the command line and the API of a checkout. */
export async function seedResellers(
	store: Store,
	usernames: readonly string[],
	subUsers: number,
	checkout?: string,
): Promise<readonly Reseller[]> {
	const resellers = await createResellers(store, usernames, { checkout });
	const bursar = await startBursar(store, checkout);
	await createSubUsers(bursar.url, resellers, subUsers).finally(bursar.stop);
	return resellers;
}

/** Sets a price, gives each sub-user 5 dollars, and has it use a tenth of a GB. */
export async function seedUsage(store: Store, reseller: Reseller, subUsers: number): Promise<void> {
	await runBursar(store, ['reseller', 'price', reseller.username, '3.50']);
	const names = Array.from({ length: subUsers }, (_, number) => subUserName(reseller.username, number));
	const gives = names.map((username) =>
		requestOf(endpoints.giveBalance.path, reseller.token, { username, amount_usd_cents: 500 }),
	);
	const bursar = await startBursar(store);
	await sendEach(bursar.url, gives, CONNECTIONS).finally(bursar.stop);
	await seedDays(store, reseller, { subUsers, days: 1 });
}

/** Has each sub-user use a tenth of a GB on each of the last days. */
export async function seedDays(
	store: Store,
	{ username: reseller }: Reseller,
	{ subUsers, days }: { readonly subUsers: number; readonly days: number },
): Promise<void> {
	const nowMs = Date.now();
	const names = Array.from({ length: subUsers }, (_, number) => subUserName(reseller, number));
	const lines = Array.from({ length: days }, (_, day) => {
		const timestamp = new Date(nowMs - day * 86_400_000).toISOString();
		return names.map((username) =>
			JSON.stringify({ source: 'bench', id: `${username}-${day}-${days}`, username, timestamp, up: 0, down: 1e8 }),
		);
	});
	const folder = mkdtempSync(join(tmpdir(), 'bursar-bench-usage-'));
	const file = join(folder, 'reports.ndjson');
	writeFileSync(file, `${lines.flat().join('\n')}\n`);
	await runBursar(store, ['usage', 'import', file]).finally(() => rmSync(folder, { recursive: true }));
}

/** Fills a store with an edge, and with a reseller that has as many sub-users. */
export async function seedEdge(store: Store, subUsers: number): Promise<SeededEdge> {
	const [reseller] = (await createResellers(store, ['bench'])) as [Reseller];
	const { key } = await runBursar(store, ['edge', 'create', '--key', 'bench']);
	const bursar = await startBursar(store);
	try {
		await createSubUsers(bursar.url, [reseller], subUsers);
		const headers = { authorization: `Bearer ${reseller.token}` };
		const response = await fetch(bursar.url + endpoints.viewAllSubUsers.path, { headers });
		const { data } = (await response.json()) as { readonly data: readonly SubUser[] };
		return { key, pairs: data.map(({ username, proxy_authkey }) => ({ username, password: proxy_authkey })) };
	} finally {
		await bursar.stop();
	}
}

/** The name of a reseller's sub-user by its number. */
export function subUserName(reseller: string, number: number): string {
	return `${reseller}.${String(number).padStart(7, '0')}`;
}

/** Requests of random resellers about random sub-users of theirs. */
export function randomRequests(
	path: string,
	resellers: readonly Reseller[],
	subUsers: number,
	fields: object = {},
): readonly string[] {
	return Array.from({ length: PREPARED }, () => {
		const { username, token } = resellers[randomInt(resellers.length)] as Reseller;
		return requestOf(path, token, { username: subUserName(username, randomInt(subUsers)), ...fields });
	});
}
