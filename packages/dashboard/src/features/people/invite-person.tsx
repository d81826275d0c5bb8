import { InviteDialog, type InviteProps } from './invite-dialog.tsx';
import { peopleTexts } from './texts.ts';
import { useNotePeople } from './use-note-people.ts';

interface Props extends InviteProps {
	/** `null`: the person becomes an operator. */
	readonly reseller: string | null;
}

/** A button with which an operator invites a person. */
export function InvitePerson({ reseller, ...props }: Props) {
	const isOperator = reseller === null;
	return (
		<InviteDialog
			{...props}
			path="/operator/people/invite"
			bodyOf={(email, role) => ({ email, reseller, role })}
			done={useNotePeople()}
			title={isOperator ? peopleTexts.inviteOperator : peopleTexts.invite}
			intro={isOperator ? peopleTexts.inviteOperatorIntro : peopleTexts.inviteIntro(reseller)}
			offered={isOperator ? null : 'owner'}
		/>
	);
}
