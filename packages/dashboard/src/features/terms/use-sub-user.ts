import type { SubUserDetails } from '@bursar/contract/dashboard';
import type { ReactNode } from 'react';
import { useRead, useTakeOver } from '../../calls/use-read.ts';

/** One sub-user, and the balance of the reseller. */
export function useSubUser(username: string) {
	return useRead('/sub-user', { username }, { everyMs: 30_000 });
}

/** For after a change: the pages show its answer, and read again what else it can concern, even if it failed. */
export function useRefreshSubUsers() {
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

/** For the dialog of each act on a sub-user. */
export interface SubUserDialogProps {
	readonly details: SubUserDetails;
	/** Called with a sentence that says that the act is done. */
	readonly onDone: (text: string) => void;
	/** What opens the dialog. Without it, the dialog is open at once. */
	readonly button?: (open: () => void) => ReactNode;
}

/** For after an act on a sub-user: the pages show its answer, and `text` says that it is done. */
export function useDone(onDone: SubUserDialogProps['onDone'], text: string) {
	const refresh = useRefreshSubUsers();
	return async (details: SubUserDetails | undefined) => {
		await refresh(details);
		if (details) onDone(text);
	};
}
