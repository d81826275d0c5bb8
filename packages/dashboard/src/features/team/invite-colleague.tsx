import { type InvitationLink, type ListedPerson, normalizeEmail, type Role } from '@bursar/contract/dashboard';
import { Button, type ButtonProps, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActForm } from '../../acts/act-form.tsx';
import { useAct } from '../../acts/use-act.ts';
import { useTakeOver } from '../../calls/use-read.ts';
import { momentText } from '../../format/time.ts';
import { RoleField } from '../../forms/role-field.tsx';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { teamTexts } from './texts.ts';

interface Props extends ButtonProps {
	/** Who was invited before, and has not accepted yet. */
	readonly invited?: Pick<ListedPerson, 'email' | 'role'>;
	readonly children: string;
}

/** A button that invites a colleague, and shows the link once. */
export function InviteColleague({ invited, children, ...button }: Props) {
	const act = useAct('/team/invite');
	const takeOver = useTakeOver();
	const [typed, setTyped] = useState('');
	const [role, setRole] = useState<Role>('manager');
	/** The link exists here and nowhere else, and only until the dialog closes. */
	const [made, setMade] = useState<InvitationLink>();
	const email = normalizeEmail(typed);

	function open() {
		setTyped(invited?.email ?? '');
		setRole(invited?.role ?? 'manager');
		act.open();
	}
	function close() {
		setMade(undefined);
		act.close();
	}
	async function send() {
		if (email === undefined) return;
		const answer = await act.send({ email, role });
		if (answer) setMade(answer);
		void takeOver(undefined, ['/team', '/activity']);
	}

	return (
		<>
			<Button variant="default" {...button} onClick={open}>
				{children}
			</Button>
			<SecretActDialog
				act={act}
				title={teamTexts.invite}
				secret={made?.link}
				secretTitle={teamTexts.linkTitle}
				secretLabel={teamTexts.linkLabel}
				secretIntro={made ? teamTexts.linkIntro(made.email, momentText(made.expires)) : ''}
				onClose={close}
			>
				<ActForm
					act={act}
					onSubmit={() => void send()}
					action={teamTexts.inviteNow}
					repeated={teamTexts.linkLost}
					isComplete={email !== undefined}
				>
					<Text size="sm">{teamTexts.inviteIntro}</Text>
					<TextInput
						// A field of the type `email` refuses addresses that the service accepts.
						inputMode="email"
						autoCapitalize="none"
						spellCheck={false}
						label={teamTexts.email}
						autoComplete="off"
						required
						withAsterisk={false}
						data-autofocus
						value={typed}
						onChange={({ currentTarget }) => setTyped(currentTarget.value)}
					/>
					<RoleField value={role} onChoose={setRole} />
				</ActForm>
			</SecretActDialog>
		</>
	);
}
