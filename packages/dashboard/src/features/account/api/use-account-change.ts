import type { Account, DashboardChanges, NewRecoveryCodes } from '@bursar/contract/dashboard';
import { useState } from 'react';
import { newActId } from '../../../api/act-id.ts';
import { useChange } from '../../../api/use-change.ts';
import { useNoteAccount } from './use-account.ts';

/** The changes that answer with the account. */
type AccountPath = {
	[Path in keyof DashboardChanges]: DashboardChanges[Path]['answer'] extends Account | NewRecoveryCodes ? Path : never;
}[keyof DashboardChanges];

type Body<Path extends AccountPath> = Omit<DashboardChanges[Path]['body'], 'act'>;

/**
 * A change of the account that a dialog asks for. Opening the dialog makes the act's id, so that each try of the change
 * has the same one. The dialog closes when the change was done.
 */
export function useAccountChange<Path extends AccountPath>(path: Path) {
	const change = useChange(path);
	const note = useNoteAccount();
	const [act, setAct] = useState<string>();

	async function send(body: Body<Path>): Promise<DashboardChanges[Path]['answer'] | undefined> {
		if (act === undefined || change.isBusy) return undefined;
		const answer = await change.run({ act, ...body } as DashboardChanges[Path]['body']);
		await note(answer && ('account' in answer ? answer.account : answer));
		if (answer) setAct(undefined);
		return answer;
	}

	return {
		isOpen: act !== undefined,
		isBusy: change.isBusy,
		failure: change.failure,
		open() {
			change.clear();
			setAct(newActId());
		},
		close() {
			if (!change.isBusy) setAct(undefined);
		},
		send,
	};
}
