import type { proofTexts as english } from './texts.ts';

export const proofTexts: typeof english = {
	title: 'Bestätigen Sie, dass Sie es sind',
	intro: 'Für diese Änderung müssen Sie bestätigen, dass Sie es sind. Die Bestätigung gilt dann 5 Minuten.',
	passkey: 'Passkey benutzen',
	or: 'oder',
	password: 'Passwort',
	code: 'Code',
	confirm: 'Bestätigen',
	cancel: 'Abbrechen',
	wrongPassword: { happened: 'Das Passwort ist falsch.', todo: 'Prüfen Sie es, und versuchen Sie es noch einmal.' },
};
