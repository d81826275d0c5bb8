import type { ListedPerson, Team } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { useTakeOver } from '../../calls/use-read.ts';
import { RoleField } from '../../forms/role-field.tsx';
import { InviteDialog, type InviteProps } from '../people/invite-dialog.tsx';
import { teamTexts } from './texts.ts';

/** A button with which an owner invites a colleague. */
export function InviteColleague(props: InviteProps) {
	const { invited } = props;
	const refresh = useRefreshTeam();
	return (
		<InviteDialog
			{...props}
			path="/team/invite"
			bodyOf={(email, role) => (role === null ? undefined : { email, role })}
			done={() => refresh()}
			title={invited ? teamTexts.inviteAgainOne(invited.email) : teamTexts.invite}
			intro={teamTexts.inviteIntro}
			offered="manager"
		/>
	);
}

interface RoleProps {
	readonly person: Pick<ListedPerson, 'email' | 'role'>;
}

/** A button that gives a colleague another role. */
export function ChangeRole({ person }: RoleProps) {
	const title = teamTexts.roleOne(person.email);
	return (
		<ActDialog
			path="/team/role"
			done={useRefreshTeam()}
			title={title}
			button={(open) => (
				<Button size="xs" variant="default" aria-label={title} onClick={open}>
					{teamTexts.role}
				</Button>
			)}
		>
			{(act) => <RoleForm act={act} person={person} />}
		</ActDialog>
	);
}

function RoleForm({ act, person: { email, role: before } }: RoleProps & { readonly act: Act<'/team/role'> }) {
	const [role, setRole] = useState(before ?? 'viewer');
	return (
		<ActForm act={act} body={role === before ? undefined : { email, role }} action={teamTexts.roleNow}>
			<RoleField value={role} onChoose={setRole} />
			<Text size="sm">{teamTexts.roleIntro}</Text>
		</ActForm>
	);
}

/** A button that removes a colleague, after a question. */
export function RemoveColleague({ email }: { readonly email: string }) {
	return (
		<ActDialog
			path="/team/remove"
			done={useRefreshTeam()}
			title={teamTexts.removeTitle(email)}
			button={(open) => (
				<Button size="xs" variant="default" aria-label={teamTexts.removeOne(email)} onClick={open}>
					{teamTexts.remove}
				</Button>
			)}
		>
			{(act) => (
				<ActForm act={act} body={{ email }} action={teamTexts.removeNow} isDangerous>
					<Text size="sm">{teamTexts.removeIntro}</Text>
				</ActForm>
			)}
		</ActDialog>
	);
}

/** For after a change: the pages show its answer, and read again what else it concerns. */
function useRefreshTeam() {
	const takeOver = useTakeOver();
	return (answer?: Team) => takeOver(answer && { path: '/team', query: {}, answer }, ['/team', '/activity']);
}
