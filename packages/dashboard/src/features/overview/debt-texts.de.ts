import type { debtTexts as english } from './debt-texts.ts';

export const debtTexts: typeof english = {
	title: (debt) => `Sie schulden ${debt} für Datenverkehr, den kein Guthaben gedeckt hat`,
	paidFirst:
		'Was Ihr Guthaben als Nächstes bekommt, bezahlt das zuerst: eine Aufladung, oder Guthaben, das Sie von Unterbenutzern zurückholen.',
	refused: (line) =>
		`Das ist mehr als ${line}. Darum lehnen die Proxys Ihr eigenes Paar und alle Ihre Unterbenutzer jetzt ab, bis Sie nicht mehr als das schulden.`,
	notRefused: (line) => `Wenn Sie mehr als ${line} schulden, lehnen die Proxys alle Ihre Unterbenutzer ab.`,
	causes: 'Ansehen, welche Unterbenutzer es verursacht haben',
};
