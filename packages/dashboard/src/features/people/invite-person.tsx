import { type InvitationLink, type ListedPerson, normalizeEmail, type Role } from '@bursar/contract/dashboard';
import { Button, type ButtonProps, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActForm } from '../../acts/act-form.tsx';
import { useAct } from '../../acts/use-act.ts';
import { momentText } from '../../format/time.ts';
import { RoleField } from '../../forms/role-field.tsx';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { peopleTexts } from './texts.ts';
import { useNotePeople } from './use-note-people.ts';

interface Props extends ButtonProps {
	/** `null`: the person becomes an operator. */
	readonly reseller: string | null;
	/** Who was invited before. */
	readonly invited?: Pick<ListedPerson, 'email' | 'role'>;
	readonly children: string;
}

/** A button that invites a person, and shows the link once. */
export function InvitePerson({ reseller, invited, children, ...button }: Props) {
	const act = useAct('/operator/people/invite');
	const note = useNotePeople();
	const [typed, setTyped] = useState('');
	const [role, setRole] = useState<Role>('owner');
	/** The link exists here and nowhere else, and only until the dialog closes. */
	const [made, setMade] = useState<InvitationLink>();
	const email = normalizeEmail(typed);

	function open() {
		setTyped(invited?.email ?? '');
		setRole(invited?.role ?? 'owner');
		act.open();
	}
	function close() {
		setMade(undefined);
		act.close();
	}
	async function send() {
		if (email === undefined) return;
		const answer = await act.send({ email, reseller, role: reseller === null ? null : role });
		if (answer) setMade(answer);
		await note();
	}

	return (
		<>
			<Button variant="default" {...button} onClick={open}>
				{children}
			</Button>
			<SecretActDialog
				act={act}
				title={reseller === null ? peopleTexts.inviteOperator : peopleTexts.invite}
				secret={made?.link}
				secretTitle={peopleTexts.linkTitle}
				secretLabel={peopleTexts.linkLabel}
				secretIntro={made ? peopleTexts.linkIntro(made.email, momentText(made.expires)) : ''}
				onClose={close}
			>
				<ActForm
					act={act}
					onSubmit={() => void send()}
					action={peopleTexts.inviteNow}
					repeated={peopleTexts.linkLost}
					isComplete={email !== undefined}
				>
					<Text size="sm">
						{reseller === null ? peopleTexts.inviteOperatorIntro : peopleTexts.inviteIntro(reseller)}
					</Text>
					<TextInput
						// A field of the type `email` refuses addresses that the service accepts.
						inputMode="email"
						autoCapitalize="none"
						spellCheck={false}
						label={peopleTexts.email}
						autoComplete="off"
						required
						withAsterisk={false}
						data-autofocus
						value={typed}
						onChange={({ currentTarget }) => setTyped(currentTarget.value)}
					/>
					{reseller !== null && <RoleField value={role} onChoose={setRole} />}
				</ActForm>
			</SecretActDialog>
		</>
	);
}
