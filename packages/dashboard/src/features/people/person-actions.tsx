import type { ListedPerson } from '@bursar/contract/dashboard';
import { Button, Group, Text } from '@mantine/core';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import { momentText } from '../../format/time.ts';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { MailNote, useRefreshPeople } from './invite-dialog.tsx';
import { peopleTexts } from './texts.ts';

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
	const texts = peopleTexts[path];
	return (
		<ActDialog
			path={path}
			done={useRefreshPeople()}
			title={texts.title(email)}
			button={(open) => (
				<Button size="xs" variant="default" aria-label={texts.one(email)} onClick={open}>
					{texts.action}
				</Button>
			)}
		>
			{(act) => (
				<ActForm act={act} body={{ email }} action={texts.action} isDangerous={path !== '/operator/people/unlock'}>
					<Text size="sm">{texts.effect}</Text>
				</ActForm>
			)}
		</ActDialog>
	);
}

/** A button that makes a person begin anew, and shows the link once. */
function ResetPerson({ person: { email, state } }: Props) {
	const isLocked = state === 'locked';
	const texts = peopleTexts['/operator/people/reset'];
	return (
		<SecretActDialog
			path="/operator/people/reset"
			done={useRefreshPeople()}
			title={texts.title(email)}
			button={(open) => (
				<Button size="xs" variant="default" aria-label={texts.one(email)} onClick={open}>
					{texts.action}
				</Button>
			)}
			secretOf={(made) => ({
				title: texts.linkTitle,
				secret: made.link,
				label: texts.linkLabel,
				intro: peopleTexts.linkIntros[made.mailing](made.email, momentText(made.expires)),
			})}
		>
			{(act) => (
				<ActForm act={act} body={{ email }} action={texts.action} isDangerous repeated={texts.linkLost}>
					<Text size="sm">{texts.effect}</Text>
					{!isLocked && <MailNote />}
				</ActForm>
			)}
		</SecretActDialog>
	);
}
