import assert from 'node:assert/strict';
import { type Answer, resellerApi } from '@bursar/testing/api';
import type { TransferRow } from '@bursar/testing/stored-books';
import type { Served } from './served.ts';

/** A reseller whose sub-users have enough balance to take, and usernames that belong to another reseller. */
export interface ResellerAccounts {
	readonly served: Served;
	readonly username: string;
	readonly token: string;
	readonly subUsers: readonly string[];
	readonly takenUsernames: readonly string[];
	/** The proxy auth keys before the workload. */
	readonly authKeys: ReadonlyMap<string, string>;
	/** Its transfers since then, from the store. */
	transfers(): Promise<readonly TransferRow[]>;
	/** Its sub-users, over a connection without faults. */
	view(): Promise<ReadonlyMap<string, { readonly balanceCents: number; readonly proxyAuthkey: string }>>;
}

/** More than the sum of all amounts of a workload. */
export const FIRST_AMOUNT_CENTS = 10 ** 10;

/** The names of the sub-users begin with the reseller's own. */
export async function openAccounts(served: Served, username: string, count: number): Promise<ResellerAccounts> {
	const token = await served.openReseller(username);
	const rival = resellerApi(served.url, await served.openReseller(`${username}.rival`));
	const own = resellerApi(served.url, token);
	const subUsers = Array.from({ length: count }, (_, index) => `${username}.${index}`);
	const takenUsernames = subUsers.map((name) => `${name}.taken`);
	await inGroups(takenUsernames, async (name) => demand(await rival.create({ username: name })));
	await inGroups(subUsers, async (name) => {
		demand(await own.create({ username: name }));
		demand(await own.give({ username: name, amount_usd_cents: FIRST_AMOUNT_CENTS }));
	});

	const view: ResellerAccounts['view'] = async () => {
		const { data } = demand(await own.viewAll());
		const list = data as readonly { username: string; balance: number; proxy_authkey: string }[];
		return new Map(list.map((one) => [one.username, { balanceCents: one.balance, proxyAuthkey: one.proxy_authkey }]));
	};
	const { newest } = await served.books.totals();
	const authKeys = new Map([...(await view())].map(([name, { proxyAuthkey }]) => [name, proxyAuthkey]));
	return {
		served,
		username,
		token,
		subUsers,
		takenUsernames,
		authKeys,
		transfers: async () => {
			const rows = await served.books.transfersBehind(newest);
			return rows.filter(({ debit, credit }) => debit === username || credit === username);
		},
		view,
	};
}

async function inGroups<Item>(items: readonly Item[], run: (item: Item) => Promise<unknown>): Promise<void> {
	for (let start = 0; start < items.length; start += 20) await Promise.all(items.slice(start, start + 20).map(run));
}

function demand(answer: Answer): Answer {
	assert.equal(answer.status, 200, answer.text);
	return answer;
}
