import type { actTexts as english } from './texts.ts';

export const actTexts: typeof english = {
	close: 'Schließen',
	cancel: 'Abbrechen',
	lostTitle: 'Die Antwort ging verloren',
	lostAct:
		'Es kam keine Antwort, also ist nicht bekannt, ob es getan wurde. Versuchen Sie es noch einmal: Es kann nicht zweimal getan werden, und Sie erfahren dann, was daraus wurde.',
	repeated: 'Es war schon getan und wurde nicht noch einmal getan. Diese Seite zeigt, wie es jetzt steht.',
};
