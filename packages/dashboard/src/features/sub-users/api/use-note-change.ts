import type { SubUserDetails } from '@bursar/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { subUserQuery } from './use-sub-user.ts';

/** What a change of a sub-user or of balances can concern, by the first part of the keys. */
const CONCERNED: readonly unknown[] = ['overview', 'sub-users', 'sub-user', 'statement'];

/** Takes over what a change has answered, and reads again what the change can concern, even if it failed. */
export function useNoteChange() {
	const client = useQueryClient();
	return async (details?: SubUserDetails) => {
		const predicate = ({ queryKey: [first] }: { readonly queryKey: readonly unknown[] }) => CONCERNED.includes(first);
		// A read that is under way may still bring the previous state.
		await client.cancelQueries({ predicate });
		if (details) client.setQueryData(subUserQuery(details.username).queryKey, details);
		void client.invalidateQueries({ predicate });
	};
}
