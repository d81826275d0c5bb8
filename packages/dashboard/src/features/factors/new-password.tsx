import { MIN_PASSWORD_CHARACTERS } from '@bursar/contract/dashboard';
import { PasswordInput, Stack } from '@mantine/core';
import { passwordTexts } from './texts.ts';

interface Props {
	readonly value: NewPassword;
	readonly onChange: (value: NewPassword) => void;
}

/** Two fields for a new password. They say while one types what is still missing. */
export function NewPasswordFields({ value, onChange }: Props) {
	const { password, repeated } = value;
	const missing = MIN_PASSWORD_CHARACTERS - Array.from(password).length;
	const hint = missing > 0 ? passwordTexts.missing(missing) : passwordTexts.isLongEnough;
	return (
		<Stack>
			<PasswordInput
				label={passwordTexts.password}
				description={password === '' ? passwordTexts.hint : hint}
				autoComplete="new-password"
				required
				withAsterisk={false}
				value={password}
				onChange={(event) => onChange({ ...value, password: event.currentTarget.value })}
			/>
			<PasswordInput
				label={passwordTexts.repeat}
				error={repeated !== '' && !password.startsWith(repeated) && passwordTexts.isDifferent}
				autoComplete="new-password"
				required
				withAsterisk={false}
				value={repeated}
				onChange={(event) => onChange({ ...value, repeated: event.currentTarget.value })}
			/>
		</Stack>
	);
}

interface NewPassword {
	readonly password: string;
	/** Typed once more. */
	readonly repeated: string;
}

export const NO_PASSWORD: NewPassword = { password: '', repeated: '' };

/** Whether it can be sent. */
export function isComplete({ password, repeated }: NewPassword): boolean {
	return Array.from(password).length >= MIN_PASSWORD_CHARACTERS && password === repeated;
}
