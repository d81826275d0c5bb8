import { isNetworkKey, keyRange, networkKey } from '@bursar/contract/sign-in-ips';
import type { Effect } from './books.ts';
import { LOADED_IN_NETWORK, type SignInAddress, type SignInAddresses } from './sign-in.ts';

type Holder = Pick<SignInAddress, 'reseller' | 'username'>;

/** Addresses during a batch: those that were loaded, and those that commands have set. */
export class WorkingSignIns {
	/** By key. */
	readonly #holders = new Map<string, Holder>();
	/** Of each /64, how many were loaded. */
	readonly #loadedIn = new Map<string, number>();
	/** By reseller and username. */
	readonly #changed = new Map<string, Holder>();
	readonly #allowed: Set<string>;
	readonly #permissions = new Map<string, boolean>();

	constructor(loaded: readonly SignInAddress[], allowedResellers: readonly string[]) {
		for (const { address, ...holder } of loaded) {
			if (this.#holders.has(address)) continue;
			this.#holders.set(address, holder);
			const network = networkKey(address);
			this.#loadedIn.set(network, (this.#loadedIn.get(network) ?? 0) + 1);
		}
		this.#allowed = new Set(allowedResellers);
	}

	of(account: Holder): readonly string[] {
		return [...this.#holders].flatMap(([address, holder]) => (isSame(holder, account) ? [address] : [])).sort();
	}

	/** Whether another account has the address, its /64, or one in it. */
	isTaken(address: string, account: Holder): boolean {
		const isOthers = (key: string) => {
			const holder = this.#holders.get(key);
			return holder !== undefined && !isSame(holder, account);
		};
		if (!isNetworkKey(address)) return isOthers(address) || isOthers(networkKey(address));
		// There may be more, and not all of them are this account's.
		if ((this.#loadedIn.get(address) ?? 0) >= LOADED_IN_NETWORK) return true;
		const { from, before } = keyRange(address);
		return [...this.#holders.keys()].some((key) => key >= from && key < before && isOthers(key));
	}

	isAllowed(reseller: string): boolean {
		return this.#allowed.has(reseller);
	}

	set({ addresses, ...account }: SignInAddresses): void {
		if (addresses.some((address) => this.isTaken(address, account)))
			throw new Error('an address is of another account');
		this.free(account);
		for (const address of addresses) this.#holders.set(address, account);
	}

	/** Of an account that is deleted too: not all that it has need be loaded. */
	free({ reseller, username }: Holder): void {
		for (const address of this.of({ reseller, username })) this.#holders.delete(address);
		this.#changed.set(`${reseller}/${username}`, { reseller, username });
	}

	allow({ reseller, isAllowed }: Extract<Effect, { readonly kind: 'allow_sign_in' }>): void {
		if (isAllowed) this.#allowed.add(reseller);
		else this.#allowed.delete(reseller);
		this.#permissions.set(reseller, isAllowed);
	}

	/** The accounts that were changed, with all their addresses now. */
	get changed(): readonly SignInAddresses[] {
		return Array.from(this.#changed.values(), (account) => ({ ...account, addresses: this.of(account) }));
	}

	/** Of the resellers of which it was changed: whether their sub-users may sign in by address. */
	get permissions(): ReadonlyMap<string, boolean> {
		return this.#permissions;
	}
}

function isSame(one: Holder, other: Holder): boolean {
	return one.reseller === other.reseller && one.username === other.username;
}
