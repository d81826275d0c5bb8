import { MIN_PASSWORD_CHARACTERS } from '@bursar/contract/dashboard';

export interface NewPassword {
	readonly password: string;
	/** Typed once more. */
	readonly repeated: string;
}

export const NO_PASSWORD: NewPassword = { password: '', repeated: '' };

/** Whether it can be sent. */
export function isComplete({ password, repeated }: NewPassword): boolean {
	return Array.from(password).length >= MIN_PASSWORD_CHARACTERS && password === repeated;
}
