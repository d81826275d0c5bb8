import { createKeySeal } from './key-seal.ts';
import { isSealedUnder, sealCheck } from './master-key.ts';

/** A proxy auth key as it lies in a store. */
export interface SealedKey {
	readonly reseller: string;
	readonly username: string;
	readonly sealedAuthKey: string;
}

/** What became of a change of the master key. */
export interface ChangedMasterKey {
	/** How many proxy auth keys were sealed anew; `undefined` where the store had that master key already. */
	readonly keys: number | undefined;
	/** Where the store keeps the new key itself; `undefined` where it is given to it. */
	readonly keptIn: string | undefined;
}

/** All sealed keys of a store that nobody else has open, in one transaction that is rolled back unless it is committed. */
export interface SealedKeys {
	readCheck(): Promise<string | undefined>;
	/** Keys behind that account (`''` for the first), in the order of (reseller, username). */
	readPage(reseller: string, username: string, limit: number): Promise<readonly SealedKey[]>;
	writePage(keys: readonly SealedKey[]): Promise<void>;
	writeCheck(sealed: string): Promise<void>;
	/** Durable when it resolves. */
	commit(): Promise<void>;
	close(): Promise<void>;
}

const KEYS_AT_ONCE = 5_000;

/**
 * Seals every proxy auth key of a store anew, under another master key. Returns how many there were, or
 * `undefined` where the store has that master key already. Throws where it was sealed under neither.
 */
export async function changeMasterKey(
	keys: SealedKeys,
	{ from, to }: { readonly from: Uint8Array; readonly to: Uint8Array },
	onProgress: (count: number) => void,
): Promise<number | undefined> {
	const check = await keys.readCheck();
	if (check === undefined)
		throw new Error('the store has no master key yet: it takes the first one that it is opened with');
	if (isSealedUnder(to, check)) {
		// Proven durable once more: somebody may be about to destroy the key of before.
		await keys.writeCheck(check);
		await keys.commit();
		return undefined;
	}
	if (!isSealedUnder(from, check)) throw new Error('the present master key is not that of the store');
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
