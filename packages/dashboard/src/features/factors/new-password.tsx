import { MAX_PASSWORD_BYTES, MIN_PASSWORD_CHARACTERS } from '@bursar/contract/dashboard';
import { PasswordInput, Stack } from '@mantine/core';
import { passwordTexts } from './texts.ts';

interface Props {
	readonly value: NewPassword;
	readonly onChange: (value: NewPassword) => void;
}

/** Two fields for a new password. They say during typing what is still missing. */
export function NewPasswordFields({ value, onChange }: Props) {
	const { password, repeated } = value;
	return (
		<Stack>
			<PasswordInput
				label={passwordTexts.password}
				description={hintOn(password)}
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

function hintOn(password: string): string {
	if (password === '') return passwordTexts.hint;
	const missing = missingCharacters(password);
	if (missing > 0) return passwordTexts.missing(missing);
	return isTooLong(password) ? passwordTexts.isTooLong : passwordTexts.isLongEnough;
}

function missingCharacters(password: string): number {
	return MIN_PASSWORD_CHARACTERS - Array.from(password).length;
}

function isTooLong(password: string): boolean {
	return new TextEncoder().encode(password.normalize('NFKC')).length > MAX_PASSWORD_BYTES;
}

interface NewPassword {
	readonly password: string;
	/** Typed once more. */
	readonly repeated: string;
}

export const NO_PASSWORD: NewPassword = { password: '', repeated: '' };

/** Whether it can be sent. */
export function isComplete({ password, repeated }: NewPassword): boolean {
	return missingCharacters(password) <= 0 && !isTooLong(password) && password === repeated;
}
