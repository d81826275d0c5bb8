import type { signInTexts as english } from './texts.ts';

export const signInTexts: typeof english = {
	title: 'Anmelden',
	email: 'E-Mail-Adresse',
	password: 'Passwort',
	code: 'Code',
	signIn: 'Anmelden',
	or: 'oder',
	passkey: 'Mit einem Passkey anmelden',
	goneTitle: 'Sie sind abgemeldet',
	gone: 'Ihre Sitzung ist beendet. Melden Sie sich wieder an, um weiterzuarbeiten. Was Sie eingegeben haben, bleibt hier.',
	signInAgain: 'Wieder anmelden',
};
