import { timingSafeEqual } from 'node:crypto';
import type { CheckRequest } from '@bursar/contract/edge';
import { keyInProxyPassword } from '@bursar/contract/proxy-options';

/** A key as its account has it, and its name in answers and re-checks. */
export interface NamedKey {
	readonly key: string;
	readonly keyId: string;
}

/** @bound Characters of the key of an edge: a longer text is refused. */
const MAX_LENGTH = 64;
const left = Buffer.alloc(MAX_LENGTH);
const right = Buffer.alloc(MAX_LENGTH);

/** Whether the sent password begins with this key, or the sent `key_id` is its. Takes the same time for any key. */
export function isSent({ key, keyId }: NamedKey, { password, key_id = '' }: CheckRequest): boolean {
	return password === undefined ? isEqual(keyId, key_id) : isEqual(key, keyInProxyPassword(password));
}

/** Whether two texts of the length of a key are the same. Takes the same time for all of them. */
export function isEqual(ours: string, sent: string): boolean {
	left.fill(0).write(ours);
	right.fill(0).write(sent);
	// The buffers do not hold all of a long text.
	return timingSafeEqual(left, right) && ours === sent;
}
