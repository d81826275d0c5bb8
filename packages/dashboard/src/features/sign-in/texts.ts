import { texts } from '../../preferences/catalogue.ts';

export const signInTexts = texts('signInTexts', {
	title: 'Sign in',
	email: 'E-mail address',
	password: 'Password',
	code: 'Code',
	signIn: 'Sign in',
	or: 'or',
	passkey: 'Sign in with a passkey',
	forgotten: 'Forgot your password?',
	noMail: 'Forgot your password? Ask the operator of this service for a link to set a new one.',
	goneTitle: 'You are signed out',
	gone: 'Your session has ended. Sign in again to go on. What you have typed stays here.',
	signInAgain: 'Sign in again',
});
