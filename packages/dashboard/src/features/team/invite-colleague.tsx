import type { Role } from '@bursar/contract/dashboard';
import { useAct } from '../../acts/use-act.ts';
import { useTakeOver } from '../../calls/use-read.ts';
import { InviteDialog, type InviteProps } from '../people/invite-dialog.tsx';
import { teamTexts } from './texts.ts';

/** A button with which an owner invites a colleague. */
export function InviteColleague(props: InviteProps) {
	const act = useAct('/team/invite');
	const takeOver = useTakeOver();

	async function send(email: string, role: Role | null) {
		if (role === null) throw new Error('a colleague has a role');
		const answer = await act.send({ email, role });
		void takeOver(undefined, ['/team', '/activity']);
		return answer;
	}

	return (
		<InviteDialog
			{...props}
			act={act}
			title={teamTexts.invite}
			intro={teamTexts.inviteIntro}
			offered="manager"
			send={send}
		/>
	);
}
