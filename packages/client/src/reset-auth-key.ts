import type { ReplacedAuthKey } from './accounts.ts';
import { readAuthKey } from './answers.ts';
import type { Call } from './call.ts';
import { lookAfterLoss, outcomeUnknown, sendChange } from './change.ts';
import { viewSubUser } from './read.ts';
import type { Turns } from './turns.ts';

/**
 * Replaces the key once. A lost answer is judged by the key before and after: where it changed, the
 * previous one is retired, which is what was asked for, whoever did it.
 */
export function resetAuthKey(
	call: Call,
	turns: Turns,
	username: string,
	isSoleWriter: boolean,
): Promise<ReplacedAuthKey> {
	const look = async () => (await viewSubUser(call, username)).proxyAuthkey;
	return turns.take(username, call, async () => {
		const before = await look();
		const request = { operation: 'resetAuthKey', body: { username }, readData: readAuthKey } as const;
		return sendChange(call, request, async (lost) => {
			turns.lost(username);
			const proxyAuthkey = await lookAfterLoss(call, turns, {
				username,
				look,
				// Somebody else's change says nothing of the own request, which may still replace their key.
				isEnough: (key) => key !== before && isSoleWriter,
				unknown: (why, cause) => outcomeUnknown({ operation: 'reset_auth_key', username }, lost, why, { cause }),
			});
			if (proxyAuthkey === before) return undefined;
			turns.found(username);
			return { username, proxyAuthkey };
		});
	});
}
