import type { InvitedPerson, Presence } from '@bursar/contract/dashboard';
import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../../api/use-change.ts';
import { Failure } from '../../../frame/failure.tsx';
import { Page } from '../../../frame/page.tsx';
import { invitationTexts } from '../../../texts/invitation.ts';
import { NewPasswordFields } from '../../factors/components/new-password-fields.tsx';
import { isComplete, NO_PASSWORD } from '../../factors/new-password.ts';
import { invitationIntro } from '../invitation-intro.ts';

interface Props {
	readonly link: string;
	readonly invited: InvitedPerson;
	readonly onAccepted: (presence: Presence) => void;
}

/** Uses a link: sets the password of the invited person, or only signs in. */
export function Invited({ link, invited, onAccepted }: Props) {
	const { email, signs_in } = invited;
	const [password, setPassword] = useState(NO_PASSWORD);
	const accept = useChange('/invitation/accept');

	async function submit(event: FormEvent) {
		event.preventDefault();
		const presence = await accept.run({ link, ...(!signs_in && { password: password.password }) });
		if (presence) onAccepted(presence);
	}

	return (
		<Page {...invitationIntro(invited)}>
			<form onSubmit={submit}>
				<Stack>
					{!signs_in && (
						<>
							<TextInput label={invitationTexts.email} type="email" autoComplete="username" readOnly value={email} />
							<NewPasswordFields value={password} onChange={setPassword} />
						</>
					)}
					<Failure error={accept.failure} />
					<Button type="submit" disabled={!signs_in && !isComplete(password)} loading={accept.isBusy}>
						{signs_in ? invitationTexts.signIn : invitationTexts.accept}
					</Button>
				</Stack>
			</form>
		</Page>
	);
}
