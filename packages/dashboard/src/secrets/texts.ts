export const secretTexts = {
	stored: 'I have stored it',
	goBack: 'Go back to it',
	closeAnyway: 'Close without it',
	askSecretTitle: 'Close without storing it?',
	askSecret: 'It cannot be shown again. Without it, you have to make another one.',
	copy: 'Copy',
	copied: 'Copied',
	copyByHand: 'It is selected: copy it now.',
} as const;
