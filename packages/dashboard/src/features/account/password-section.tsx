import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import type { ActControl } from '../../acts/use-act.ts';
import { Section } from '../../page/section.tsx';
import { isComplete, NewPasswordFields, NO_PASSWORD } from '../factors/new-password.tsx';
import classes from './password-section.module.css';
import { accountTexts } from './texts.ts';
import { useAccountAct } from './use-account.ts';

/** Changes the password. */
export function PasswordSection({ email }: { readonly email: string }) {
	const change = useAccountAct('/account/password');
	const [isChanged, setChanged] = useState(false);

	async function send(password: string) {
		if (await change.send({ password })) setChanged(true);
	}

	return (
		<Section
			title={accountTexts.password}
			lead={accountTexts.passwordLead}
			actions={
				<Button variant="default" onClick={change.open}>
					{accountTexts.changePassword}
				</Button>
			}
		>
			<p role="status" className={classes.status}>
				{isChanged && accountTexts.passwordChanged}
			</p>
			<ActDialog act={change} title={accountTexts.changePassword}>
				<PasswordForm email={email} act={change} onSubmit={send} />
			</ActDialog>
		</Section>
	);
}

interface FormProps {
	readonly email: string;
	readonly act: ActControl;
	readonly onSubmit: (password: string) => void;
}

function PasswordForm({ email, act, onSubmit }: FormProps) {
	const [password, setPassword] = useState(NO_PASSWORD);
	return (
		<ActForm
			act={act}
			onSubmit={() => onSubmit(password.password)}
			action={accountTexts.changePassword}
			isComplete={isComplete(password)}
		>
			{/* Password managers look for the name that belongs to the password. */}
			<input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
			<NewPasswordFields value={password} onChange={setPassword} />
			<Text size="sm">{accountTexts.passwordEnds}</Text>
		</ActForm>
	);
}
