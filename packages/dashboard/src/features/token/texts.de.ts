import type { tokenTexts as english } from './texts.ts';

export const tokenTexts: typeof english = {
	intro: (reseller) => `Die Programme von ${reseller} rufen die API mit einem Token auf.`,

	current: 'Das Token',
	tailLabel: (tail) => `Das Token, das auf ${tail} endet`,
	made: 'Erstellt',
	madeBy: 'Erstellt von',
	operator: 'dem Betreiber',
	you: 'Ihnen',
	lastUsed: 'Zuletzt benutzt',
	never: 'Nie',
	rotate: 'Token ersetzen',
	onlyOwners: 'Nur Inhaber Ihres Teams ersetzen Token.',
	rotationPending: 'Sie können es erst wieder ersetzen, wenn kein Prozess das bisherige Token mehr annimmt.',

	previousTitle: (tail, isExpired) =>
		`Das bisherige Token, das auf ${tail} endet, ${isExpired ? 'ist abgelaufen' : 'gilt noch'}`,
	worksFor: 'Gilt noch',
	previousWorks: (left) =>
		`Das bisherige Token gilt noch ${left}. Setzen Sie das neue Token vorher in allen Programmen ein.`,
	previousTodo: 'Setzen Sie das neue Token vorher in allen Programmen ein.',
	previousExpired:
		'Das bisherige Token wird nicht mehr angenommen. Andere Prozesse des Dienstes nehmen es vielleicht noch bis zu 30 Sekunden an.',
	nextRotation: (left) => `In ${left} können Sie es wieder ersetzen.`,
	previousUsed: (ago) => `Es wurde zuletzt ${ago} benutzt.`,
	previousUnused: 'Es wurde nie benutzt.',
	previousStillUsed: 'Ein Programm benutzt es noch.',
	spokenExpired: 'Das bisherige Token ist abgelaufen.',
	spokenLeft: (seconds) =>
		seconds >= 60
			? `Das bisherige Token gilt noch weniger als ${seconds === 60 ? 'eine Minute' : `${seconds / 60} Minuten`}.`
			: `Das bisherige Token gilt noch weniger als ${seconds} Sekunden.`,

	call: 'API aufrufen',
	callLead:
		'Für jeden Endpunkt ein Befehl zum Ausprobieren in einer Shell. Wo Daten gesendet werden, steht ein Beispiel.',
	baseAddress: 'Basisadresse',
	reference: 'Zur Referenz',
	shellHint: 'Geben Sie zuerst das Token in Ihre Shell ein. So steht es nicht in deren Verlauf:',
	readToken: 'read -rs BURSAR_TOKEN && export BURSAR_TOKEN',
	commandLabel: (summary) => `Befehl: ${summary}`,
	endpoints: {
		myInfo: 'Reseller-Konto lesen',
		createSubUser: 'Unterbenutzer anlegen',
		viewAllSubUsers: 'Alle Unterbenutzer auflisten',
		viewSubUser: 'Einen Unterbenutzer lesen',
		viewUsage: 'Datenverkehr nach Tagen lesen',
		resetAuthKey: 'Proxy-Schlüssel ersetzen',
		giveBalance: 'Einem Unterbenutzer Guthaben geben',
		takeBalance: 'Guthaben von einem Unterbenutzer zurückholen',
		viewAccount: 'Guthaben, Schuld und Preis lesen',
		viewChange: 'Lesen, was eine Änderung bewirkt hat',
		suspendSubUser: 'Unterbenutzer aussetzen',
		resumeSubUser: 'Unterbenutzer wieder freigeben',
		setLimits: 'Grenzen eines Unterbenutzers setzen',
		setNote: 'Notiz eines Unterbenutzers setzen',
		deleteSubUser: 'Unterbenutzer löschen',
		viewDetails: 'Zustand, Grenzen und Nutzung eines Unterbenutzers lesen',
		viewSubUserPage: 'Unterbenutzer seitenweise auflisten',
		viewStatementPage: 'Kontoauszug seitenweise lesen',
	},

	endAllTitle: 'Ist ein Token verloren oder jemand anderem bekannt?',
	endAllIntro: 'Beenden Sie jetzt alle Token. Alle Programme werden abgelehnt, bis sie das neue haben.',
	endAll: 'Jetzt alle Token beenden',

	rotateIntro:
		'Sie erhalten ein neues Token. Wählen Sie, wie lange das bisherige noch gilt, damit Ihre Programme umsteigen können.',
	overlap: 'Das bisherige Token gilt',
	overlaps: { 0: 'Nicht länger: Es endet jetzt', 60: '1 Minute weiter', 240: '4 Minuten weiter' },
	overlapHints: {
		0: 'Andere Prozesse des Dienstes nehmen es vielleicht noch bis zu 30 Sekunden an.',
		60: 'Genug, wenn Sie ein Programm von Hand ändern.',
		240: 'Genug für eine Verteilung an alle Programme. Ein Wechsel dauert dann höchstens 5 Minuten.',
	},
	rotateNow: 'Ersetzen',

	endAllBreaks: 'Danach scheitert jedes Programm, das die API aufruft:',
	endAllEffects: [
		'Das aktuelle und das bisherige Token werden sofort abgelehnt, in jedem Prozess binnen 30 Sekunden.',
		'Ihre Programme erhalten „unauthorized“, bis sie das neue Token haben.',
		'Proxy-Schlüssel und Guthaben bleiben, wie sie sind.',
	],

	newTitle: 'Ihr neues Token',
	newIntro:
		'Es wird nur jetzt angezeigt. Speichern Sie es dort, wo Ihre Programme es lesen, und geben Sie es niemandem sonst.',
	newLabel: 'Neues Token',
	allEnded:
		'Alle früheren Token sind beendet. Andere Prozesse des Dienstes nehmen sie vielleicht noch bis zu 30 Sekunden an.',
	askTitle: 'Schließen, ohne das Token zu speichern?',
	ask: 'Es kann nicht noch einmal angezeigt werden. Ohne dieses Token brauchen Sie ein anderes.',

	lostHappened: (tail, made) =>
		`Es ist geschehen: Das Token endet jetzt auf ${tail}, erstellt am ${made} von Ihnen. Das neue Token stand in der Antwort, die verloren ging, und kann nicht noch einmal angezeigt werden.`,
	lostOther: (tail, made, who) =>
		`Das Token wurde inzwischen geändert: Es endet jetzt auf ${tail}, erstellt am ${made} von ${who}. Wenn Sie dieses Token nicht haben, fragen Sie danach.`,
	lostWayOut: 'Sie können jetzt alle Token beenden. Dann erhalten Sie ein neues.',
};
