import type { ListedPerson, Role } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { useAct } from '../../acts/use-act.ts';
import { useTakeOver } from '../../calls/use-read.ts';
import { RoleField } from '../../forms/role-field.tsx';
import { teamTexts } from './texts.ts';

/** A button that gives a colleague another role. */
export function ChangeRole({ person }: { readonly person: Pick<ListedPerson, 'email' | 'role'> }) {
	const { email } = person;
	const act = useAct('/team/role');
	const takeOver = useTakeOver();
	const [role, setRole] = useState<Role>('viewer');

	function open() {
		setRole(person.role ?? 'viewer');
		act.open();
	}
	async function send() {
		const answer = await act.send({ email, role });
		if (answer) act.close();
		await takeOver(answer && { path: '/team', query: {}, answer }, ['/team', '/activity']);
	}

	return (
		<>
			<Button size="xs" variant="default" aria-label={teamTexts.roleOne(email)} onClick={open}>
				{teamTexts.role}
			</Button>
			<ActDialog act={act} title={teamTexts.roleOne(email)}>
				<ActForm act={act} onSubmit={() => void send()} action={teamTexts.roleNow} isComplete={role !== person.role}>
					<RoleField value={role} onChoose={setRole} />
					<Text size="sm">{teamTexts.roleIntro}</Text>
				</ActForm>
			</ActDialog>
		</>
	);
}
