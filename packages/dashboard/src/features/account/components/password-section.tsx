import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../../frame/dialog.tsx';
import { DialogForm, type FormChange } from '../../../frame/dialog-form.tsx';
import { Section } from '../../../frame/section.tsx';
import { accountTexts } from '../../../texts/account.ts';
import { NewPasswordFields } from '../../factors/components/new-password-fields.tsx';
import { isComplete, NO_PASSWORD } from '../../factors/new-password.ts';
import { useAccountChange } from '../api/use-account-change.ts';
import classes from './password-section.module.css';

/** Changes the password. */
export function PasswordSection({ email }: { readonly email: string }) {
	const change = useAccountChange('/account/password');
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
			<Dialog opened={change.isOpen} onClose={change.close} title={accountTexts.changePassword}>
				<PasswordForm email={email} change={change} onSubmit={send} />
			</Dialog>
		</Section>
	);
}

interface FormProps {
	readonly email: string;
	readonly change: FormChange;
	readonly onSubmit: (password: string) => void;
}

function PasswordForm({ email, change, onSubmit }: FormProps) {
	const [password, setPassword] = useState(NO_PASSWORD);
	return (
		<DialogForm
			change={change}
			onSubmit={() => onSubmit(password.password)}
			action={accountTexts.changePassword}
			isComplete={isComplete(password)}
		>
			{/* Password managers look for the name that belongs to the password. */}
			<input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
			<NewPasswordFields value={password} onChange={setPassword} />
			<Text size="sm">{accountTexts.passwordEnds}</Text>
		</DialogForm>
	);
}
