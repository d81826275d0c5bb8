import { type AccountRefusal, clientNetwork } from '@bursar/contract/account-refusals';
import { MAX_REFUSED_CLIENTS } from '@bursar/contract/edge';
import { normalizeUsername } from '@bursar/contract/username';

/** A client that was refused, or cut off. */
export interface RefusedClient {
	/** The account that it named, as it sent it. */
	readonly username: string;
	readonly reason: AccountRefusal;
	/** Its address; empty if it is not known. */
	readonly client: string;
}

/** Clients of one account that were refused for one reason. */
export interface KeptRefusal {
	/** Normalized. */
	readonly username: string;
	readonly reason: AccountRefusal;
	readonly count: number;
	/** When the last one was refused, in Unix milliseconds, and its network. */
	readonly atMs: number;
	readonly network: string | undefined;
}

/**
 * What was refused, added up by account and reason, until it is told. A flood of wrong names takes nothing from accounts
 * whose pair was right, and nothing from clients of other networks.
 */
export interface KeptRefusals {
	add(refused: RefusedClient): void;
	/** Takes some to tell them now. They are not kept any more. */
	take(most: number): readonly KeptRefusal[];
	/** What was taken, and was certainly not told. */
	putBack(refusals: readonly KeptRefusal[]): void;
	/** How many clients were left out, because a room is full. */
	readonly leftOut: number;
}

/** @bound Accounts whose right pair was refused, until it is told: refusals of further ones are left out. */
const MAX_ACCOUNTS = 2_000;
/** @bound Client networks (IPv4 /24, IPv6 /48) with refusals of names that may be invented: those of others are left out. */
const MAX_NETWORKS = 1_000;
/** @bound Names and reasons of one of these networks: further ones of it are left out. */
const MAX_OF_NETWORK = 10;

/** With these reasons, nothing shows that the account exists. */
const MAY_BE_INVENTED: ReadonlySet<AccountRefusal> = new Set(['wrong_pair', 'throttled', 'unavailable']);

export function createKeptRefusals({ clockMs }: { readonly clockMs: () => number }): KeptRefusals {
	/** By account. Only a client with its key brings it here. */
	const real = createRoom(MAX_ACCOUNTS, Number.POSITIVE_INFINITY);
	/** By network. */
	const others = createRoom(MAX_NETWORKS, MAX_OF_NETWORK);
	let leftOut = 0;
	let isTurnOfOthers = false;

	function keep(refusal: KeptRefusal): void {
		const { username, reason, network = '', count } = refusal;
		const isKept = MAY_BE_INVENTED.has(reason) ? others.add(network, refusal) : real.add(username, refusal);
		if (!isKept) leftOut += count;
	}

	/** The rooms take turns, so that neither waits for all of the other one. */
	function takeOne(): KeptRefusal | undefined {
		isTurnOfOthers = !isTurnOfOthers;
		return isTurnOfOthers ? (others.takeOne() ?? real.takeOne()) : (real.takeOne() ?? others.takeOne());
	}

	return {
		add({ username: text, reason, client }) {
			const username = normalizeUsername(text);
			// No account has such a name.
			if (username === undefined) return;
			keep({ username, reason, count: 1, atMs: clockMs(), network: clientNetwork(client) });
		},
		take(most) {
			const taken: KeptRefusal[] = [];
			while (taken.length < most) {
				const one = takeOne();
				if (!one) break;
				taken.push(one);
			}
			return taken;
		},
		putBack(refusals) {
			for (const refusal of refusals) keep(refusal);
		},
		get leftOut() {
			return leftOut;
		},
	};
}

/** Refusals of a bounded number of owners, who take turns. */
function createRoom(maxOwners: number, maxOfOwner: number) {
	/** By account and reason, of each owner. No owner has none. The one whose turn is next comes first. */
	const owners = new Map<string, Map<string, KeptRefusal>>();

	return {
		/** Returns `false` if there is no room. */
		add(owner: string, refusal: KeptRefusal): boolean {
			const name = `${refusal.username} ${refusal.reason}`;
			const own = owners.get(owner);
			const before = own?.get(name);
			if (!before && (own ? own.size >= maxOfOwner : owners.size >= maxOwners)) return false;
			const kept = before ? addUp(before, refusal) : refusal;
			if (own) own.set(name, kept);
			else owners.set(owner, new Map([[name, kept]]));
			return true;
		},
		takeOne(): KeptRefusal | undefined {
			const [next] = owners;
			if (!next) return undefined;
			const [owner, own] = next;
			const [[name, refusal] = []] = own;
			owners.delete(owner);
			if (name !== undefined) own.delete(name);
			if (own.size > 0) owners.set(owner, own);
			return refusal;
		},
	};
}

function addUp(one: KeptRefusal, other: KeptRefusal): KeptRefusal {
	const last = other.atMs >= one.atMs ? other : one;
	return { ...last, count: Math.min(one.count + other.count, MAX_REFUSED_CLIENTS) };
}
