import type { DashboardChanges, NewPair } from '@bursar/contract/dashboard';
import { KEYS_AT_ONCE } from '@bursar/contract/dashboard-limits';
import { newActId } from '../../acts/act.ts';
import type { Sent } from '../../calls/use-change.ts';
import { csvText } from './outcomes.ts';

type Call = DashboardChanges['/sub-users/show-keys'];
type Key = Pick<NewPair, 'username' | 'proxy_authkey'>;

/**
 * Asks for the keys of all these sub-users, in calls of bounded size. `undefined` if the person gave no proof. Throws
 * `CallError`.
 */
export async function readKeys(
	usernames: readonly string[],
	send: (body: Call['body']) => Promise<Sent<Call['answer']> | undefined>,
): Promise<readonly Key[] | undefined> {
	const keys: Key[] = [];
	for (let first = 0; first < usernames.length; first += KEYS_AT_ONCE) {
		const sent = await send({ act: newActId(), usernames: usernames.slice(first, first + KEYS_AT_ONCE) });
		// All of them were deleted since.
		if (sent?.failure?.code === 'unknown_sub_user') continue;
		if (sent?.failure) throw sent.failure;
		if (!sent?.answer) return undefined;
		keys.push(...sent.answer.keys);
	}
	return keys;
}

/** A file with the proxy auth key of each sub-user. */
export function keysCsv(keys: readonly Key[]): string {
	return csvText([['username', 'proxy_authkey'], ...keys.map((key) => [key.username, key.proxy_authkey])]);
}
