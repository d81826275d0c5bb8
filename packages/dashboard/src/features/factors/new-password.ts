/** Characters that a password needs at least. The service refuses shorter ones. */
export const MIN_PASSWORD_LENGTH = 12;

export interface NewPassword {
	readonly password: string;
	/** Typed once more. */
	readonly repeated: string;
}

export const NO_PASSWORD: NewPassword = { password: '', repeated: '' };

/** Whether it can be sent. */
export function isComplete({ password, repeated }: NewPassword): boolean {
	return Array.from(password).length >= MIN_PASSWORD_LENGTH && password === repeated;
}
