import { type Endpoint, endpoints } from '@bursar/contract';
import { expectAccepted, expectThat, fieldOf } from '../expect.ts';
import type { Answer } from './answer.ts';
import type { CallOptions, Wire } from './wire.ts';

/** The eight endpoints, as one reseller calls them. */
export interface ResellerApi {
	readonly token: string;
	myInfo(): Promise<Answer>;
	viewAll(): Promise<Answer>;
	/** Text and bytes are sent unchanged. Every call costs a fee. */
	create(body: unknown, options?: CallOptions): Promise<Answer>;
	viewSingle(username: unknown): Promise<Answer>;
	viewTxs(username: unknown): Promise<Answer>;
	resetAuthKey(username: unknown): Promise<Answer>;
	give(username: unknown, amountCents: unknown): Promise<Answer>;
	take(username: unknown, amountCents: unknown): Promise<Answer>;
	/** Calls any endpoint with any body. */
	call(endpoint: Endpoint, options?: CallOptions): Promise<Answer>;
	/** The reseller's balance in cents. Throws if `my_info` does not give it. */
	balance(): Promise<number>;
	/** A sub-user's balance in cents. Throws if `view_single` does not give it. */
	balanceOf(username: string): Promise<number>;
}

export function createResellerApi(wire: Wire, token: string): ResellerApi {
	const call = ({ method, path }: Endpoint, options: CallOptions = {}) =>
		wire.call(path, { method, token, ...options });
	const name = (endpoint: Endpoint) => (username: unknown) => call(endpoint, { body: { username } });
	const move = (endpoint: Endpoint) => (username: unknown, amountCents: unknown) =>
		call(endpoint, { body: { username, amount_usd_cents: amountCents } });
	const api: ResellerApi = {
		token,
		call,
		myInfo: () => call(endpoints.myInfo),
		viewAll: () => call(endpoints.viewAllSubUsers),
		create: (body, options) => call(endpoints.createSubUser, { body, ...options }),
		viewSingle: name(endpoints.viewSubUser),
		viewTxs: name(endpoints.viewUsage),
		resetAuthKey: name(endpoints.resetAuthKey),
		give: move(endpoints.giveBalance),
		take: move(endpoints.takeBalance),
		balance: async () => balanceIn(await api.myInfo()),
		balanceOf: async (username) => balanceIn(await api.viewSingle(username)),
	};
	return api;
}

function balanceIn(answer: Answer): number {
	const balance = fieldOf(expectAccepted(answer), 'balance');
	expectThat(Number.isSafeInteger(balance), `the balance in ${answer.asked}`, 'an integer of cents', balance);
	return balance as number;
}

/** All POST endpoints except create, because every create costs a fee. */
export const freePosts: readonly Endpoint[] = Object.values(endpoints).filter(
	(endpoint: Endpoint) => endpoint.method === 'POST' && endpoint.path !== endpoints.createSubUser.path,
);
