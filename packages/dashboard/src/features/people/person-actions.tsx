import type { InvitationLink, ListedPerson } from '@bursar/contract/dashboard';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { useAct } from '../../acts/use-act.ts';
import { momentText } from '../../format/time.ts';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { peopleTexts } from './texts.ts';
import { useNotePeople } from './use-note-people.ts';

interface Props {
	readonly person: ListedPerson;
}

/** What an operator does to another person, besides a new link. */
export function PersonActions({ person }: Props) {
	return (
		<Group gap="xs">
			{person.state !== 'invited' && <ResetPerson person={person} />}
			{person.state === 'locked' ? (
				<PersonChange person={person} path="/operator/people/unlock" />
			) : (
				<PersonChange person={person} path="/operator/people/lock" />
			)}
			<PersonChange person={person} path="/operator/people/remove" />
		</Group>
	);
}

type ChangePath = '/operator/people/lock' | '/operator/people/unlock' | '/operator/people/remove';

/** A button that locks, unlocks or removes a person, after a question. */
function PersonChange({ person: { email }, path }: Props & { readonly path: ChangePath }) {
	const act = useAct(path);
	const note = useNotePeople();
	const texts = peopleTexts[path];

	async function send() {
		if (await act.send({ email })) act.close();
		await note();
	}

	return (
		<>
			<Button size="xs" variant="default" aria-label={texts.one(email)} onClick={act.open}>
				{texts.action}
			</Button>
			<ActDialog act={act} title={texts.title(email)}>
				<ActForm
					act={act}
					onSubmit={() => void send()}
					action={texts.action}
					isDangerous={path !== '/operator/people/unlock'}
				>
					<Text size="sm">{texts.effect}</Text>
				</ActForm>
			</ActDialog>
		</>
	);
}

/** A button that makes a person begin anew, and shows the link once. */
function ResetPerson({ person: { email } }: Props) {
	const act = useAct('/operator/people/reset');
	const note = useNotePeople();
	const texts = peopleTexts['/operator/people/reset'];
	/** The link exists here and nowhere else, and only until the dialog closes. */
	const [made, setMade] = useState<InvitationLink>();

	function close() {
		setMade(undefined);
		act.close();
	}
	async function send() {
		const answer = await act.send({ email });
		if (answer) setMade(answer);
		await note();
	}

	return (
		<>
			<Button size="xs" variant="default" aria-label={texts.one(email)} onClick={act.open}>
				{texts.action}
			</Button>
			<SecretActDialog
				act={act}
				title={texts.title(email)}
				secret={made?.link}
				secretTitle={texts.linkTitle}
				secretLabel={texts.linkLabel}
				secretIntro={made ? peopleTexts.linkIntro(made.email, momentText(made.expires)) : ''}
				onClose={close}
			>
				<ActForm act={act} onSubmit={() => void send()} action={texts.action} isDangerous repeated={texts.linkLost}>
					<Text size="sm">{texts.effect}</Text>
				</ActForm>
			</SecretActDialog>
		</>
	);
}
