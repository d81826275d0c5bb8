import type { ReplacedAuthKey } from './accounts.ts';
import { of, readAuthKey } from './answers.ts';
import type { Call } from './call.ts';
import { contradicted, lookAfterLoss, outcomeUnknown, sendChange } from './change.ts';
import type { Exchange } from './exchange.ts';
import { viewSubUser } from './read.ts';
import { sha256 } from './sha256.ts';
import type { Turns } from './turns.ts';

/**
 * Replaces the key once. If the answer is lost, the client compares the key before and after. If the key has changed, the
 * previous key is retired. The caller wanted that, so it does not matter which client did it.
 */
export function resetAuthKey(
	call: Call,
	turns: Turns,
	username: string,
	isSoleWriter: boolean,
): Promise<ReplacedAuthKey> {
	const look = async () => (await viewSubUser(call, username)).proxyAuthkey;
	return turns.take(username, call, true, async () => {
		const before = await look();
		const asked = { operation: 'reset_auth_key', username, authKeyBeforeSha256: await sha256(before) } as const;
		const isOnlyChange = isSoleWriter && !turns.isOpen(username);
		const replaced = await sendChange(call, requestToReset(username), async (lost) => {
			const proxyAuthkey = await lookAfterLoss(call, turns, {
				username,
				lost,
				look,
				// If another client changed the key, the lost request may still replace that key.
				isEnough: (key) => key !== before && isOnlyChange,
				unknown: (why, cause) => outcomeUnknown(asked, lost, why, { cause }),
			});
			if (proxyAuthkey === before) return undefined;
			turns.found(username);
			return { username, proxyAuthkey };
		});
		if (replaced.proxyAuthkey !== before) return replaced;
		throw contradicted(asked, 'the answer is a success, but shows the previous proxy auth key');
	});
}

export function requestToReset(username: string): Exchange<{ username: string; proxyAuthkey: string }> {
	return { operation: 'resetAuthKey', body: { username }, readData: of(username, readAuthKey) };
}
