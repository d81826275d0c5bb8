import { ERROR_CODE_HEADER, REQUEST_ID_HEADER, routes } from '@bursar/contract';
import {
	type Account,
	type BursarError,
	ConnectionError,
	type ErrorDetails,
	InsufficientBalanceError,
	OutcomeUnknownError,
	UsernameTakenError,
} from '../../src/index.ts';
import { type Changer, observedFetch } from './client-operations.ts';

/** How a client that does not look treats a lost answer. */
export type Habit =
	/** Sends the request again, as clients of idempotent services may. */
	| 'repeats'
	/** Assumes that nothing was done. */
	| 'gives_up'
	/** Assumes that the change was done. */
	| 'believes'
	/** Always reports that it does not know. */
	| 'doubts';

const BY_ANSWER = { confirmedBy: 'answer', requestId: undefined } as const;
const FEE = { minCents: 10, maxCents: 10 };

/** A client that is wrong about lost answers, and right about all other answers. */
export function wrongClient(url: string, token: string, habit: Habit, timeoutMs: number): Changer {
	async function send(path: string, body: Record<string, unknown>): Promise<Partial<Record<string, never>>> {
		const attempts = habit === 'repeats' ? 4 : 1;
		for (let attempt = 1; attempt <= attempts; attempt++) {
			const answer = await sendOnce(url + path, token, body, timeoutMs);
			if (answer === undefined) continue;
			if (answer.status === 200) return answer.data;
			const Refusal = REFUSALS[answer.code] ?? ConnectionError;
			throw new Refusal(answer.code, path === routes.createSubUser.path ? { fee: FEE } : {});
		}
		if (habit === 'believes') return {};
		if (habit !== 'doubts') throw new ConnectionError('no answer');
		throw new OutcomeUnknownError('no answer', { operation: 'give', username: '', changeId: 'none' }, { fee: FEE });
	}

	async function move(path: string, username: string, amountCents: number) {
		const { balance = -1 } = await send(path, { username, amount_usd_cents: amountCents });
		return { username, balanceCents: balance, ...BY_ANSWER };
	}

	return {
		async create(username) {
			await send(routes.createSubUser.path, { username });
			return { subUser: { username } as Account, created: true, fee: FEE, ...BY_ANSWER };
		},
		async resetAuthKey(username) {
			const { proxy_authkey: proxyAuthkey = '' } = await send(routes.resetAuthKey.path, { username });
			return { username, proxyAuthkey, ...BY_ANSWER };
		},
		give: (username, amountCents) => move(routes.giveBalance.path, username, amountCents),
		take: (username, amountCents) => move(routes.takeBalance.path, username, amountCents),
	};
}

const REFUSALS: Readonly<Record<string, new (message: string, details: ErrorDetails) => BursarError>> = {
	username_taken: UsernameTakenError,
	insufficient_balance: InsufficientBalanceError,
};

/** `undefined` if the answer was lost or is not the service's. */
async function sendOnce(url: string, token: string, body: unknown, timeoutMs: number) {
	try {
		const response = await observedFetch(url, {
			method: 'POST',
			headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(timeoutMs),
		});
		const text = await response.text();
		if (!response.headers.has(REQUEST_ID_HEADER)) return undefined;
		const code = response.headers.get(ERROR_CODE_HEADER) ?? '';
		return { status: response.status, code, data: JSON.parse(text).data };
	} catch {
		return undefined;
	}
}
