import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { Done } from '../../page/done.tsx';
import { Section } from '../../page/section.tsx';
import { isComplete, NewPasswordFields, NO_PASSWORD } from '../factors/new-password.tsx';
import { accountTexts } from './texts.ts';
import { useRefreshAccount } from './use-account.ts';

/** Changes the password. */
export function PasswordSection({ email }: { readonly email: string }) {
	const refresh = useRefreshAccount();
	const [isChanged, setChanged] = useState(false);
	return (
		<Section
			title={accountTexts.password}
			lead={accountTexts.passwordLead}
			actions={
				<ActDialog
					path="/account/password"
					done={async (account) => {
						await refresh(account);
						if (account) setChanged(true);
					}}
					title={accountTexts.changePassword}
					button={(open) => (
						<Button variant="default" onClick={open}>
							{accountTexts.changePassword}
						</Button>
					)}
				>
					{(act) => <PasswordForm email={email} act={act} />}
				</ActDialog>
			}
		>
			<Done>{isChanged && accountTexts.passwordChanged}</Done>
		</Section>
	);
}

interface FormProps {
	readonly email: string;
	readonly act: Act<'/account/password'>;
}

function PasswordForm({ email, act }: FormProps) {
	const [typed, setTyped] = useState(NO_PASSWORD);
	return (
		<ActForm
			act={act}
			body={isComplete(typed) ? { password: typed.password } : undefined}
			action={accountTexts.changePassword}
		>
			{/* Password managers look for the name that belongs to the password. */}
			<input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
			<NewPasswordFields value={typed} onChange={setTyped} />
			<Text size="sm">{accountTexts.passwordEnds}</Text>
		</ActForm>
	);
}
