import type { SubUserDetails } from '@bursar/contract/dashboard';
import { useRead, useTakeOver } from '../../calls/use-read.ts';

/** One sub-user, and the balance of the reseller. */
export function useSubUser(username: string) {
	return useRead('/sub-user', { username }, { everyMs: 30_000 });
}

/** Takes over what a change has answered, and reads again what the change can concern, even if it failed. */
export function useNoteChange() {
	const takeOver = useTakeOver();
	return (answer?: SubUserDetails) =>
		takeOver(answer && { path: '/sub-user', query: { username: answer.username }, answer }, [
			'/overview',
			'/sub-users',
			'/sub-users/count',
			'/sub-users/states',
			'/sub-user',
			'/statement',
			'/statement/periods',
		]);
}
