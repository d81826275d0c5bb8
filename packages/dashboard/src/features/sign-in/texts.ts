import { texts } from '../../preferences/catalogue.ts';

export const signInTexts = texts('signInTexts', {
	title: 'Sign in',
	email: 'E-mail address',
	password: 'Password',
	code: 'Code',
	signIn: 'Sign in',
	or: 'or',
	passkey: 'Sign in with a passkey',
	goneTitle: 'You are signed out',
	gone: 'Your session has ended. Sign in again to go on. What you have typed stays here.',
	signInAgain: 'Sign in again',
});
