import type { secretTexts as english } from './texts.ts';

export const secretTexts: typeof english = {
	stored: 'Ich habe es gespeichert',
	goBack: 'Zurück',
	closeAnyway: 'Trotzdem schließen',
	askSecretTitle: 'Schließen, ohne es zu speichern?',
	askSecret: 'Es kann nicht noch einmal angezeigt werden. Sonst müssen Sie ein anderes erstellen.',
	copy: 'Kopieren',
	copied: 'Kopiert',
	copyAgain:
		'Ihr Browser hat es nicht kopiert. Drücken Sie den Knopf noch einmal, oder zeigen Sie das Geheimnis an und kopieren Sie es von Hand.',
	copyByHand: 'Es ist markiert: Kopieren Sie es jetzt.',
};
