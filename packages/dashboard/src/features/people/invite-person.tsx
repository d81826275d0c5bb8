import type { Role } from '@bursar/contract/dashboard';
import { useAct } from '../../acts/use-act.ts';
import { InviteDialog, type InviteProps } from './invite-dialog.tsx';
import { peopleTexts } from './texts.ts';
import { useNotePeople } from './use-note-people.ts';

interface Props extends InviteProps {
	/** `null`: the person becomes an operator. */
	readonly reseller: string | null;
}

/** A button with which an operator invites a person. */
export function InvitePerson({ reseller, ...props }: Props) {
	const act = useAct('/operator/people/invite');
	const note = useNotePeople();

	async function send(email: string, role: Role | null) {
		const answer = await act.send({ email, reseller, role });
		void note();
		return answer;
	}

	const isOperator = reseller === null;
	return (
		<InviteDialog
			{...props}
			act={act}
			title={isOperator ? peopleTexts.inviteOperator : peopleTexts.invite}
			intro={isOperator ? peopleTexts.inviteOperatorIntro : peopleTexts.inviteIntro(reseller)}
			offered={isOperator ? null : 'owner'}
			send={send}
		/>
	);
}
