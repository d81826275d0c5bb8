import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { listen } from '@bursar/testing/listen';

const FEE_CENTS = 10;
const DAY_MS = 86_400_000;
const OPENING_BALANCE_CENTS = 1_000_000;

interface Account {
	readonly username: string;
	balance: number;
	proxy_authkey: string;
	readonly date_created: string;
}

interface Reseller {
	readonly account: Account;
	readonly subUsers: Map<string, Account>;
}

/** A request is refused. */
class Refusal extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

/** A service that keeps the contract, and differs from Bursar wherever the contract leaves something open. */
export async function startBareService(test: TestContext) {
	const resellers = new Map(
		['acme', 'bolt'].map((name) => [
			`${name}-secret`,
			{ account: account(`${name}@example.com`), subUsers: new Map() },
		]),
	);
	for (const { account } of resellers.values()) account.balance = OPENING_BALANCE_CENTS;
	resellers.get('acme-secret')?.subUsers.set('used.one', account('used.one'));
	const server = createServer(async (request, response) => {
		const { status, message, data } = await answer(resellers, request);
		const timestamp = Math.floor(Date.now() / 1000);
		response.writeHead(status, { 'content-type': 'text/json' });
		response.end(JSON.stringify({ version: 3, data, message, status, timestamp }));
	});
	const { port } = await listen(test, server);
	return {
		url: `http://127.0.0.1:${port}`,
		acme: { username: 'acme@example.com', token: 'acme-secret' },
		bolt: { username: 'bolt@example.com', token: 'bolt-secret' },
	};
}

async function answer(resellers: ReadonlyMap<string, Reseller>, request: IncomingMessage) {
	try {
		const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
		const reseller = resellers.get(token ?? '');
		if (!reseller) throw new Refusal(403, 'Forbidden.');
		const call = calls[`${request.method} ${request.url}`];
		if (!call) throw new Refusal(410, 'Gone.');
		const body = request.method === 'POST' ? await json(request).catch(() => null) : null;
		const data = call({ reseller, body: (body ?? {}) as Body, resellers: [...resellers.values()] });
		return { status: request.url?.endsWith('/create') ? 201 : 200, message: 'OK', data };
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		return { status: error.status, message: error.message, data: {} };
	}
}

interface Body {
	readonly username?: unknown;
	readonly amount_usd_cents?: unknown;
}

interface Call {
	readonly reseller: Reseller;
	readonly resellers: readonly Reseller[];
	readonly body: Body;
}

const SUB_USERS = '/reseller/sub_users';

const calls: Readonly<Record<string, (call: Call) => unknown>> = {
	'GET /reseller/my_info': ({ reseller }) => ({ ...reseller.account, plan: 'gold' }),

	[`POST ${SUB_USERS}/create`]({ reseller, resellers, body }) {
		if (reseller.account.balance < FEE_CENTS) throw new Refusal(423, 'Top up first.');
		reseller.account.balance -= FEE_CENTS;
		const username = String(body.username).toLowerCase();
		if (!isUsername(username)) throw new Refusal(422, 'Choose another name.');
		if (resellers.some(({ subUsers }) => subUsers.has(username))) throw new Refusal(422, 'Username already taken.');
		const made = account(username);
		reseller.subUsers.set(username, made);
		return { username, proxy_authkey: made.proxy_authkey };
	},

	[`GET ${SUB_USERS}/view_all`]: ({ reseller }) => [...reseller.subUsers.values()].reverse(),

	[`POST ${SUB_USERS}/view_single`]: (call) => ({ ...subUserOf(call), currency: 'USD' }),

	[`POST ${SUB_USERS}/view_txs`](call) {
		// A sub-user without usage has a record of today without bytes.
		const days = subUserOf(call).username === 'used.one' ? 91 : 1;
		return Array.from({ length: days }, (_, index) => {
			const day = new Date(Date.now() - index * DAY_MS).toISOString().slice(0, 10);
			return { timestamp: `${day}T00:00:00Z`, bandwidth: { down: 3 * index, up: index, total: 4 * index } };
		});
	},

	[`POST ${SUB_USERS}/reset_auth_key`](call) {
		const subUser = subUserOf(call);
		subUser.proxy_authkey = authKey();
		return { proxy_authkey: subUser.proxy_authkey };
	},

	[`POST ${SUB_USERS}/give_balance`](call) {
		const subUser = subUserOf(call);
		move(call, call.reseller.account, subUser);
		return { new_balance: subUser.balance };
	},

	[`POST ${SUB_USERS}/take_balance`](call) {
		move(call, subUserOf(call), call.reseller.account);
		return null;
	},
};

function subUserOf({ reseller, body }: Call): Account {
	const subUser = reseller.subUsers.get(String(body.username));
	if (!subUser) throw new Refusal(400, 'Whose is that?');
	return subUser;
}

/** Amounts in strings are converted. */
function move({ body }: Call, from: Account, to: Account): void {
	const { amount_usd_cents: amount } = body;
	const cents = typeof amount === 'string' ? Number(amount) : amount;
	if (!Number.isSafeInteger(cents) || (cents as number) < 1) throw new Refusal(422, 'Not an amount.');
	if ((cents as number) > from.balance) throw new Refusal(422, 'Not enough.');
	from.balance -= cents as number;
	to.balance += cents as number;
}

function account(username: string): Account {
	const date_created = new Date().toISOString().replace(/\.\d+Z$/, '+00:00');
	return { username, balance: 0, proxy_authkey: authKey(), date_created };
}

/** Letters of any alphabet. */
function isUsername(text: string): boolean {
	return /^[\p{L}\p{N}]+(?:[._][\p{L}\p{N}]+)*$/u.test(text) && text.length >= 4 && text.length <= 32;
}

function authKey(): string {
	return `key-${crypto.randomUUID()}`;
}
