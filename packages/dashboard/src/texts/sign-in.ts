export const signInTexts = {
	title: 'Sign in',
	email: 'E-mail address',
	password: 'Password',
	code: 'Code',
	codeHint: 'The code that your app shows now, or one of your recovery codes.',
	signIn: 'Sign in',
	or: 'or',
	passkey: 'Sign in with a passkey',
	goneTitle: 'You are signed out',
	gone: 'Your session has ended. Sign in again to go on. What you have typed stays here.',
	signInAgain: 'Sign in again',
} as const;
