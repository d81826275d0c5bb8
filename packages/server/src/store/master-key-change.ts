import { createKeySeal } from './key-seal.ts';
import { isSealedUnder, sealCheck } from './master-key.ts';

/** A proxy auth key as the store keeps it. */
export interface SealedKey {
	readonly reseller: string;
	readonly username: string;
	readonly sealedAuthKey: string;
}

/** The outcome of a change of the master key. */
export interface ChangedMasterKey {
	/** How many proxy auth keys were sealed anew; `undefined` if the store already had this master key. */
	readonly keys: number | undefined;
	/** The file in which the store keeps the new key; `undefined` if the operator keeps it. */
	readonly keptIn: string | undefined;
}

/**
 * All sealed keys of a store that no other process has open. Everything happens in one transaction, which is rolled
 * back unless it is committed.
 */
export interface SealedKeys {
	readCheck(): Promise<string | undefined>;
	/** The keys after this account (`''` for the first), in the order of (reseller, username). */
	readPage(reseller: string, username: string, limit: number): Promise<readonly SealedKey[]>;
	writePage(keys: readonly SealedKey[]): Promise<void>;
	writeCheck(sealed: string): Promise<void>;
	/** Resolves when the change is durable. */
	commit(): Promise<void>;
	close(): Promise<void>;
}

const KEYS_AT_ONCE = 5_000;

/**
 * Seals every proxy auth key of a store anew, under another master key. Returns how many there were, or
 * `undefined` if the store already has that master key. Throws if the store was sealed under neither key.
 */
export async function changeMasterKey(
	keys: SealedKeys,
	{ from, to }: { readonly from: Uint8Array; readonly to: Uint8Array },
	onProgress: (count: number) => void,
): Promise<number | undefined> {
	const check = await keys.readCheck();
	if (check === undefined)
		throw new Error('the store has no master key yet: it will use the first one that it is opened with');
	if (isSealedUnder(to, check)) {
		// One more durable commit, because the operator may be about to destroy the previous key.
		await keys.writeCheck(check);
		await keys.commit();
		return undefined;
	}
	if (!isSealedUnder(from, check)) throw new Error('the present master key is not the master key of the store');
	const [before, after] = [createKeySeal(from), createKeySeal(to)];
	let count = 0;
	let last: Pick<SealedKey, 'reseller' | 'username'> = { reseller: '', username: '' };
	for (;;) {
		const page = await keys.readPage(last.reseller, last.username, KEYS_AT_ONCE);
		if (page.length === 0) break;
		await keys.writePage(
			page.map(({ reseller, username, sealedAuthKey }) => ({
				reseller,
				username,
				sealedAuthKey: after.seal(before.openOnce(sealedAuthKey, username), username),
			})),
		);
		count += page.length;
		onProgress(count);
		last = page.at(-1) as SealedKey;
	}
	await keys.writeCheck(sealCheck(after));
	await keys.commit();
	return count;
}
