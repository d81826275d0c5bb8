import type { Bank } from '../../../bank/bank.ts';
import type { CountTry } from '../../../commands/people/tries.ts';
import { hashSecret } from '../../../credentials.ts';
import type { TryLimit } from '../../../domain/people/tries.ts';
import type { ClientAddress } from '../../server/address.ts';
import { type Refused, refusedBy } from '../calls/refusals.ts';

/** What is counted, each with counts of its own. */
const LIMITS = {
	/**
	 * @bound Passwords of strangers for one e-mail address, and as many with a code: further tries are answered 429.
	 * Tries that are answered `unavailable` are given back.
	 */
	account: { burst: 10, intervalMs: 90_000 },
	/**
	 * Passwords in a browser that its person has signed in with, so that strangers cannot use up these tries.
	 * @bound Passwords in a known browser, and as many with a code: further tries are answered 429.
	 */
	browser: { burst: 10, intervalMs: 90_000 },
	/**
	 * Passwords of a person who is signed in, for the same reason.
	 * @bound Passwords of a person for a proof, and as many with a code: further tries are answered 429.
	 */
	proof: { burst: 10, intervalMs: 90_000 },
	/**
	 * Tries of strangers from one network.
	 * @bound Passwords from one address (IPv6, a /64), and as many passkeys: further tries are answered 429.
	 */
	network: { burst: 50, intervalMs: 10_000 },
	/** @bound Passwords from one IPv6 /48, and as many passkeys: further tries are answered 429. */
	site: { burst: 250, intervalMs: 2_000 },
	/** @bound Requests for a forgotten password from one address (IPv6, a /64): further ones are answered 429. */
	forgotten_network: { burst: 10, intervalMs: 6 * 60_000 },
	/** @bound Requests for a forgotten password from one IPv6 /48: further ones are answered 429. */
	forgotten_site: { burst: 30, intervalMs: 2 * 60_000 },
	/**
	 * They are few, so that no flood of them fills the mail server's queue.
	 * @bound Requests for a forgotten password, of all clients together: further ones are answered 429.
	 */
	forgotten_all: { burst: 60, intervalMs: 60_000 },
} as const satisfies Record<string, TryLimit>;

/**
 * How many tries of strangers may wait to be counted, of each method. More would keep people's own changes from the store.
 * @bound Passwords of strangers that wait to be counted, as many passkeys, and as many requests for a forgotten password:
 * further ones are answered `unavailable`.
 */
const MAX_COUNTING = 128;
const counting = { password: 0, passkey: 0, forgotten: 0 };

export type Try = readonly [kind: keyof typeof LIMITS, value: string];

/**
 * Counts a try of a stranger, or returns why there is none left. Each method has its own count: after too many passwords, a
 * passkey still works. Sites take turns, and each may have a part of the tries that may wait.
 */
export function countStrangersTry(
	bank: TryBank,
	method: 'password' | 'passkey',
	{ network, site }: ClientAddress,
	...more: readonly Try[]
): Promise<Refused | undefined> {
	const tries: readonly Try[] = [['network', `${method} ${network}`], ...more];
	return countInTurn(bank, method, site === network ? tries : [['site', `${method} ${site}`], ...tries]);
}

/** Counts a request for a forgotten password, or returns why it is one too many. What was typed does not count. */
export function countForgotten(bank: TryBank, { network, site }: ClientAddress): Promise<Refused | undefined> {
	const tries: readonly Try[] = [
		['forgotten_network', network],
		['forgotten_all', ''],
	];
	return countInTurn(bank, 'forgotten', site === network ? tries : [['forgotten_site', site], ...tries]);
}

async function countInTurn(bank: TryBank, method: keyof typeof counting, tries: readonly Try[]) {
	if (counting[method] >= MAX_COUNTING) return { refused: 'unavailable', isCallerBusy: true } as const;
	counting[method]++;
	try {
		return await countTry(bank, tries);
	} finally {
		counting[method]--;
	}
}

type TryBank = Pick<Bank, 'changePerson'>;

/** Counts all these tries, or none and returns why none is left. Owners of the first one take turns. */
export async function countTry(bank: TryBank, tries: readonly Try[]): Promise<Refused | undefined> {
	const command: CountTry = {
		kind: 'count_try',
		tries: tries.map(([kind, value]) => ({ key: tryKey(kind, value), limit: LIMITS[kind] })),
	};
	const outcome = await bank.changePerson(command);
	if (outcome.ok) return undefined;
	return {
		...refusedBy(outcome),
		...(outcome.waitMs !== undefined && { waitMs: outcome.waitMs }),
	};
}

/**
 * Gives a try back that was answered `unavailable`: while a flood keeps the service busy, its person does not lose the tries
 * too. What one network or site has tried stays counted.
 */
export async function returnUnusedTry(bank: TryBank, [kind, value]: Try, answer: object): Promise<void> {
	if (!('refused' in answer) || answer.refused !== 'unavailable') return;
	await bank.changePerson({ kind: 'return_try', key: tryKey(kind, value), limit: LIMITS[kind] });
}

/**
 * The tries of a password alone, and the tries of a password with a code. A code comes only after its password was right
 * once. With one count for both steps, the first step could use up the last try of the second.
 */
export function passwordTries(kind: 'account' | 'browser' | 'proof', owner: string) {
	const tries = { password: [kind, `password ${owner}`], code: [kind, `code ${owner}`] } as const;
	return {
		/** The try of a request. */
		of: ({ code }: { readonly code?: string }): Try => (code === undefined ? tries.password : tries.code),
		/** The keys of both counts, for a sign-in to forgive. */
		keys: [tryKey(...tries.password), tryKey(...tries.code)],
	};
}

/** The key of a count. A hash, because people sometimes type a password as their e-mail address. */
export function tryKey(kind: Try[0] | 'recorded' | 'forgotten', value: string): string {
	return hashSecret(`${kind} ${value}`);
}
