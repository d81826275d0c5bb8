import { MAX_PASSKEYS } from '@bursar/contract/dashboard';
import { textsWith } from '../../preferences/catalogue.ts';

const VALUES = { mostPasskeys: MAX_PASSKEYS };

export const accountTexts = textsWith('accountTexts', VALUES, {
	lead: 'You are signed in as {email}, for {owner}.',
	operator: 'the operator of this service',

	noFactorTitle: 'Your account has no second factor',
	noFactor: 'A person who learns your password can rotate the token. Add a passkey or one-time codes below.',
	noCodesTitle: 'You have no recovery codes',
	fewCodesTitle: 'You have few recovery codes: {left}',
	fewCodes:
		'If you lose your phone or your passkey, a recovery code is the only way in without the operator. Make ten new ones below.',

	password: 'Password',
	passwordLead: 'It signs you in, and proves that it is you before important changes.',
	changePassword: 'Change the password',
	passwordEnds: 'All your other sessions end. This one stays.',
	passwordChanged: 'The password was changed, and your other sessions have ended.',

	passkeys: 'Passkeys',
	noPasskeys: 'You have no passkey.',
	passkeysNotHere: 'Passkeys work only at an address with https, and at localhost.',
	tooManyPasskeys: 'You have {mostPasskeys} passkeys. Remove one that you do not use before you add another.',
	added: 'Added',
	lastUsed: 'last used',
	neverUsed: 'never used',
	rename: 'Rename',
	renameOne: 'Rename {name}',
	renameTitle: 'Rename the passkey',
	name: 'Name',
	remove: 'Remove',
	removeOne: 'Remove {name}',
	removePasskeyTitle: 'Remove the passkey?',
	removePasskey:
		'You cannot sign in with “{name}” any more. Delete it on your device too, so that the browser does not offer it.',
	lastFactor: 'Operators must keep a passkey or one-time codes. Add another one before you remove this.',

	codesOn: 'One-time codes are set up.',
	codesOff: 'One-time codes are not set up.',
	replaceCodes: 'Move to another app',
	removeCodesTitle: 'Remove the one-time codes?',
	removeCodes: 'The codes of your app are not accepted any more.',

	recovery: 'Recovery codes',
	recoveryLead: 'Each signs you in once, together with your password, if you lose your phone or your passkey.',
	recoveryLeft: { one: '1 code is left.', other: '{count} codes are left.' },
	noRecovery: 'You get ten recovery codes with your first passkey or one-time codes.',
	newRecovery: 'Make ten new codes',
	newRecoveryTitle: 'Make ten new recovery codes?',
	newRecoveryLost:
		'The new codes were made, but they were in the answer that was lost, and they cannot be shown again. Close this, and make new ones once more.',
	newRecoveryEnds: 'The codes that are left are not accepted any more. The new ones are shown only once.',

	browserOn: '{browser} on {system}',
	unknownBrowser: 'Unknown browser',
	sessions: 'Sessions',
	sessionsLead: 'Where you are signed in. If you do not recognise one of them, end it and change your password.',
	thisSession: 'This one',
	lastSeen: 'Last seen',
	signedIn: 'signed in',
	end: 'End',
	endOne: 'End the session of {browser} at {address}',
	endOthers: 'End all other sessions',
	endOthersTitle: 'End all other sessions?',
	endOthersEffect: 'Every other browser is signed out at once. This one stays signed in.',
	onlySession: 'You are signed in nowhere else.',

	save: 'Save',
});

/** A browser in the language of the pages. The service names it in English, like `Firefox on Windows`. */
export function browserText(name: string): string {
	const [named = '', system] = name.split(' on ');
	const browser = named === 'Unknown browser' ? accountTexts.unknownBrowser : named;
	return system === undefined ? browser : accountTexts.browserOn(browser, system);
}
