import assert from 'node:assert/strict';
import { resellerApi } from '@bursar/testing/api';
import type { Looks, Operation, Workload } from './load.ts';

/** Follows the proxy auth keys of a workload's sub-users. Resets may have been cut off. */
export interface AuthKeysCheck {
	/**
	 * Throws unless each sub-user has the key of its last acknowledged reset, or of a later reset without an answer. With
	 * what the service says about each operation, it must have the key of the last one that was done.
	 */
	check(url: string, operations: readonly Operation[], looks?: Looks): Promise<void>;
}

export async function authKeysCheck(url: string, { token, usernames }: Workload): Promise<AuthKeysCheck> {
	const seen = new Set<string>();
	const current = new Map<string, string>();

	async function read(from: string, username: string): Promise<string> {
		const { status, data } = await resellerApi(from, token).viewSingle({ username });
		assert.equal(status, 200);
		return data.proxy_authkey;
	}
	for (const username of usernames) current.set(username, await read(url, username));

	return {
		async check(from, operations, looks) {
			for (const username of usernames) {
				let mayBeNew = false;
				let mustBeNew = false;
				for (const { number, kind, username: target, reply } of operations) {
					if (kind !== 'reset' || target !== username || reply.kind === 'refused') continue;
					const isAcknowledged = reply.kind === 'answered' && reply.status === 200;
					if (isAcknowledged) {
						seen.add(current.get(username) as string);
						current.set(username, reply.data.proxy_authkey);
					}
					mustBeNew = !isAcknowledged && looks?.get(number) != null;
					mayBeNew = !isAcknowledged && (mustBeNew || !looks);
				}
				const key = await read(from, username);
				if (key === current.get(username)) {
					assert.ok(!mustBeNew, `${username} has another key, as the service says`);
					continue;
				}
				assert.ok(mayBeNew && !seen.has(key), `${username} has the key of its last acknowledged reset`);
				seen.add(current.get(username) as string);
				current.set(username, key);
			}
		},
	};
}
