import { routes } from '@bursar/contract/routes';
import type { Reseller } from './seed.ts';

export type ResellerApi = ReturnType<typeof openResellerApi>;

interface Account {
	readonly username: string;
	readonly balance: number;
	readonly proxy_authkey: string;
}

type Answer<Data> = { readonly data: Data } | { readonly data?: undefined };

/** The calls of a reseller that tries to use bandwidth without paying. A change that is refused is left out. */
export function openResellerApi(url: string, { username, token }: Reseller) {
	let created = 0;

	async function ask<Data>(
		{ method, path }: { method: string; path: string },
		fields: object = {},
	): Promise<Answer<Data>> {
		const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
		const body = method === 'POST' ? { body: JSON.stringify(fields) } : {};
		const response = await fetch(url + path, { method, headers, ...body });
		if (response.status === 200) return (await response.json()) as Answer<Data>;
		// Too little money, too fast, or a name that is gone.
		if (![402, 404, 409, 429].includes(response.status)) throw new Error(`${path} answers ${response.status}`);
		await response.arrayBuffer();
		return {};
	}

	async function own(): Promise<Account> {
		return (await ask<Account>(routes.myInfo)).data as Account;
	}

	async function view(name: string): Promise<Account | undefined> {
		return (await ask<Account>(routes.viewSubUser, { username: name })).data;
	}

	const pairText = (account: Account | undefined) => `${account?.username}:${account?.proxy_authkey}`;

	return {
		username,
		/** So many fees were paid. */
		created: () => created,
		ownPair: async () => pairText(await own()),
		pairOf: async (name: string) => pairText(await view(name)),
		async create(name: string): Promise<string> {
			const { data } = await ask<Account>(routes.createSubUser, { username: name });
			if (data) created += 1;
			return pairText(data);
		},
		async giveAll(name: string): Promise<void> {
			const { balance } = await own();
			if (balance > 0) await ask(routes.giveBalance, { username: name, amount_usd_cents: balance });
		},
		/** Bandwidth may be reported between the two calls. Then the amount is too large, so it tries once more. */
		async takeAll(name: string): Promise<void> {
			for (let tries = 0; tries < 5; tries++) {
				const balance = (await view(name))?.balance ?? 0;
				if (balance === 0) return;
				if ((await ask(routes.takeBalance, { username: name, amount_usd_cents: balance })).data) return;
			}
		},
		async remove(name: string): Promise<void> {
			await ask(routes.deleteSubUser, { username: name });
		},
		/** All that the reseller and its sub-users have, and what it owes. USD cents. */
		async money() {
			const { data: subUsers } = await ask<readonly Account[]>(routes.viewAllSubUsers);
			const { data: account } = await ask<{ balance: number; debt: number; line: number }>(routes.viewAccount);
			if (!subUsers || !account) throw new Error('the money of the reseller cannot be read');
			const leftCents = subUsers.reduce((sum, { balance }) => sum + balance, account.balance);
			return { leftCents, debtCents: account.debt, lineCents: account.line };
		},
	};
}
