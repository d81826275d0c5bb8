import { texts } from '../../preferences/catalogue.ts';

export const proofTexts = texts('proofTexts', {
	title: 'Confirm that it is you',
	intro: 'This change needs a proof that it is you. The proof then counts for 5 minutes.',
	passkey: 'Use a passkey',
	or: 'or',
	password: 'Password',
	code: 'Code',
	confirm: 'Confirm',
	cancel: 'Cancel',
	wrongPassword: { happened: 'The password is wrong.', todo: 'Check it, then try again.' },
});
