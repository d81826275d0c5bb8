import type { KnownNames } from '@bursar/contract/dashboard';
import { NAMES_AT_ONCE } from '@bursar/contract/dashboard-limits';
import { useQuery } from '@tanstack/react-query';
import { change } from '../../calls/call.ts';
import { sendSignedIn } from '../../calls/presence.ts';

/** What the service knows of the names of a run, once for each `id`: the lines of one `id` never change. */
export function useKnownNames(id: string, usernames: readonly string[]) {
	return useQuery({
		queryKey: ['/sub-users/look', id],
		queryFn: ({ client }) =>
			lookUp([...new Set(usernames)], (part) =>
				sendSignedIn(client, (email) => change('/sub-users/look', { usernames: part }, email)),
			),
		staleTime: Number.POSITIVE_INFINITY,
		gcTime: 0,
	});
}

/** Looks names up in calls of bounded size. Throws `CallError`. */
export async function lookUp(
	usernames: readonly string[],
	look: (usernames: readonly string[]) => Promise<KnownNames>,
): Promise<KnownNames> {
	const parts: KnownNames[] = [];
	for (let first = 0; first < usernames.length; first += NAMES_AT_ONCE) {
		parts.push(await look(usernames.slice(first, first + NAMES_AT_ONCE)));
	}
	return { sub_users: parts.flatMap(({ sub_users }) => sub_users), used: parts.flatMap(({ used }) => used) };
}
