import type { Account, DashboardChanges, NewRecoveryCodes } from '@bursar/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { type ActBody, type ActPath, useAct } from '../../acts/use-act.ts';
import { refreshPresence } from '../../calls/presence.ts';
import { useTakeOver } from '../../calls/use-read.ts';

/** Takes over what a change has answered, or reads again if the change failed. */
export function useNoteAccount() {
	const client = useQueryClient();
	const takeOver = useTakeOver();
	return async (answer: Account | undefined) => {
		await takeOver({ path: '/account', query: {}, answer }, ['/account/acts']);
		void refreshPresence(client);
	};
}

/** The acts that answer with the account. */
type AccountPath = {
	[Path in ActPath]: DashboardChanges[Path]['answer'] extends Account | NewRecoveryCodes ? Path : never;
}[ActPath];

/** A change of the account that a dialog asks for. The dialog closes when the change was done. */
export function useAccountAct<Path extends AccountPath>(path: Path) {
	const act = useAct(path);
	const note = useNoteAccount();

	async function send(body: ActBody<Path>): Promise<DashboardChanges[Path]['answer'] | undefined> {
		const answer = await act.send(body);
		await note(answer && ('account' in answer ? answer.account : answer));
		if (answer) act.close();
		return answer;
	}

	return { ...act, send };
}
