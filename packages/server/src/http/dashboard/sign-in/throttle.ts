import type { Bank } from '../../../bank/bank.ts';
import { hashSecret } from '../../../credentials.ts';
import type { CountTry } from '../../../domain/people/sign-in-command.ts';
import type { TryLimit } from '../../../domain/people/tries.ts';
import { REFUSAL_CODES, type Refused } from '../calls/refusals.ts';

/** What is counted, each with counts of its own: too many passwords keep nobody from using a passkey. */
const LIMITS = {
	/** Passwords for one e-mail address. */
	account: { burst: 10, intervalMs: 90_000 },
	/** Passwords of somebody who is signed in, so that strangers cannot use up these tries. */
	proof: { burst: 10, intervalMs: 90_000 },
	/** Passwords from one network. */
	network: { burst: 50, intervalMs: 10_000 },
	/** Passkeys from one network. */
	passkeys: { burst: 50, intervalMs: 10_000 },
} as const satisfies Record<string, TryLimit>;

/** How many tries of strangers may wait to be counted, of each kind. More would keep people's own changes from the store. */
const MAX_COUNTING = 128;
const counting = { network: 0, passkeys: 0 };

type Kind = keyof typeof LIMITS;
type Try = readonly [kind: Kind, value: string];

/**
 * Counts a try, or tells why there is none left. All tries together are counted, or none. Owners of the first one take
 * turns.
 */
export async function countTry(bank: TryBank, tries: readonly [Try, ...Try[]]): Promise<Refused | undefined> {
	const [[kind]] = tries;
	if (kind !== 'network' && kind !== 'passkeys') return await count(bank, tries);
	if (counting[kind] >= MAX_COUNTING) return { refused: 'unavailable' };
	counting[kind]++;
	try {
		return await count(bank, tries);
	} finally {
		counting[kind]--;
	}
}

type TryBank = Pick<Bank, 'changePerson'>;

async function count(bank: TryBank, tries: readonly Try[]): Promise<Refused | undefined> {
	const command: CountTry = {
		kind: 'count_try',
		tries: tries.map(([kind, value]) => ({ key: tryKey(kind, value), limit: LIMITS[kind] })),
	};
	const outcome = await bank.changePerson(command);
	if (outcome.ok) return undefined;
	return {
		refused: REFUSAL_CODES[outcome.error],
		...(outcome.waitMs !== undefined && { waitMs: outcome.waitMs }),
	};
}

/** The key of a count. A hash, because people sometimes type a password as their e-mail address. */
export function tryKey(...[kind, value]: Try): string {
	return hashSecret(`${kind} ${value}`);
}
