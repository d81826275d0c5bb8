export const proofTexts = {
	title: 'Confirm that it is you',
	intro: 'This needs your password or a passkey again. It then counts for 5 minutes.',
	introNoPasskey: 'This needs your password again. It then counts for 5 minutes.',
	usePasskey: 'Use a passkey',
	or: 'or',
	password: 'Password',
	code: 'Code',
	codeHint: 'From your app, or one of your recovery codes.',
	confirm: 'Confirm',
	cancel: 'Cancel',
} as const;
