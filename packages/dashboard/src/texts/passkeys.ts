/** Why the browser gave no passkey. */
export const passkeyTexts = {
	cancelled: {
		happened: 'No passkey was used.',
		todo: 'The browser asked for too long, or you have cancelled it. Try again when you are ready.',
	},
	exists: {
		happened: 'This device has a passkey for your account already.',
		todo: 'Use that one, or choose another device.',
	},
	unsupported: {
		happened: 'This browser or device cannot use passkeys here.',
		todo: 'Use another browser or device, or use one-time codes.',
	},
} as const;
