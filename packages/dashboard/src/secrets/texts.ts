import { texts } from '../preferences/catalogue.ts';

export const secretTexts = texts('secretTexts', {
	stored: 'I have stored it',
	goBack: 'Go back to it',
	closeAnyway: 'Close without it',
	askSecretTitle: 'Close without storing it?',
	askSecret: 'It cannot be shown again. Without it, you have to make another one.',
	copy: 'Copy',
	copied: 'Copied',
	copyAgain: 'Your browser did not copy it. Press the button again, or show the secret and copy it by hand.',
	copyByHand: 'It is selected: copy it now.',
});
