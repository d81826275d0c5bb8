import { MIN_PASSWORD_CHARACTERS } from '@bursar/contract/dashboard';
import { texts, textsWith } from '../../preferences/catalogue.ts';

export const factorTexts = texts('factorTexts', {
	title: 'Protect your account',
	leadRequired:
		'Operators sign in with a second factor. Add a passkey or one-time codes. You can add the other one later.',
	lead: 'A second factor protects your account if another person learns your password. You can add one later, on the account page.',
	skip: 'Not now',
	passkeyTitle: 'Passkey',
	passkeyLead: 'Sign in with your fingerprint, your face, the PIN of your device, or a security key.',
	passkeyName: 'Name of the passkey',
	passkeyNameHint: 'So that you recognise it later, for example: my laptop.',
	addPasskey: 'Add a passkey',
	codesTitle: 'One-time codes',
	codesLead: 'An app on your phone shows a new code of six digits every 30 seconds.',
	setUpCodes: 'Set up one-time codes',
	scan: 'Scan this picture with your app. Any app for one-time codes (TOTP) will do.',
	qrLabel: 'QR code with the secret of your one-time codes',
	bySecret: 'No camera? Enter this secret in the app:',
	firstCode: 'Code that the app shows now',
	confirmCode: 'Confirm',
	setupTooOld: 'The set-up is good for 10 minutes. If the code is refused again, cancel and start anew.',
	recoveryTitle: 'Your recovery codes',
	recoveryLead:
		'If you lose your phone or your passkey, one of these codes signs you in together with your password. Each works once. They are shown only now: store them where you keep your passwords.',
	recoveryLabel: 'Recovery codes',
	recoveryStored: 'I have stored them',
});

/** Why the browser gave no passkey. */
export const passkeyTexts = texts('passkeyTexts', {
	cancelled: {
		happened: 'No passkey was used.',
		todo: 'It took too long, or you cancelled it. Try again when you are ready.',
	},
	exists: {
		happened: 'This device has a passkey for your account already.',
		todo: 'Use that one, or choose another device.',
	},
	unsupported: {
		happened: 'This browser or device cannot use passkeys here.',
		todo: 'Use another browser or device, or use one-time codes.',
	},
});

const VALUES = { fewestCharacters: MIN_PASSWORD_CHARACTERS };

export const passwordTexts = textsWith('passwordTexts', VALUES, {
	password: 'New password',
	hint: 'At least {fewestCharacters} characters. Long is better than complicated: four unrelated words are good.',
	missing: { one: 'One more character is needed.', other: '{count} more characters are needed.' },
	isLongEnough: 'This is long enough.',
	isTooLong: 'This is too long.',
	repeat: 'The same password again',
	isDifferent: 'The two passwords are different.',
});
