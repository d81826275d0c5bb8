import { type InvitationLink, type ListedPerson, normalizeNewEmail, type Role } from '@bursar/contract/dashboard';
import { Button, type ButtonProps, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActForm } from '../../acts/act-form.tsx';
import type { ActControl } from '../../acts/use-act.ts';
import { momentText } from '../../format/time.ts';
import { RoleField } from '../../forms/role-field.tsx';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { peopleTexts } from './texts.ts';

export interface InviteProps extends ButtonProps {
	/** Who was invited before, and has not accepted yet. */
	readonly invited?: Pick<ListedPerson, 'email' | 'role'>;
	readonly children: string;
}

interface Props extends InviteProps {
	readonly act: ActControl & { readonly open: () => void };
	readonly title: string;
	readonly intro: string;
	/** The role that is offered first; `null` for an operator, who has none. */
	readonly offered: Role | null;
	/** Answers `undefined` if nobody was invited, or if that is not known. */
	readonly send: (email: string, role: Role | null) => Promise<InvitationLink | undefined>;
}

/** A button that invites a person, and a dialog that shows the link once. */
export function InviteDialog({ act, title, intro, offered, send, invited, children, ...button }: Props) {
	const [typed, setTyped] = useState('');
	const [role, setRole] = useState(offered);
	/** The link exists here and nowhere else, and only until the dialog closes. */
	const [made, setMade] = useState<InvitationLink>();
	const email = normalizeNewEmail(typed);

	function open() {
		setTyped(invited?.email ?? '');
		setRole(invited?.role ?? offered);
		act.open();
	}
	function close() {
		setMade(undefined);
		act.close();
	}
	async function submit() {
		if (email === undefined) return;
		const answer = await send(email, role);
		if (answer) setMade(answer);
	}

	return (
		<>
			<Button variant="default" {...button} onClick={open}>
				{children}
			</Button>
			<SecretActDialog
				act={act}
				title={title}
				secret={made?.link}
				secretTitle={peopleTexts.linkTitle}
				secretLabel={peopleTexts.linkLabel}
				secretIntro={made ? peopleTexts.linkIntro(made.email, momentText(made.expires)) : ''}
				onClose={close}
			>
				<ActForm
					act={act}
					onSubmit={() => void submit()}
					action={peopleTexts.inviteNow}
					repeated={peopleTexts.linkLost}
					isComplete={email !== undefined}
				>
					<Text size="sm">{intro}</Text>
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
					{role !== null && <RoleField value={role} onChoose={setRole} />}
				</ActForm>
			</SecretActDialog>
		</>
	);
}
