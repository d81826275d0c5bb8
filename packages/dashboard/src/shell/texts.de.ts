import type { shellTexts as english, pageNames as englishNames } from './texts.ts';

export const pageNames: typeof englishNames = {
	home: 'Start',
	overview: 'Übersicht',
	subUsers: 'Unterbenutzer',
	connect: 'Verbinden',
	statement: 'Umsätze',
	resellers: 'Reseller',
	people: 'Personen',
	income: 'Einnahmen',
	bandwidth: 'Datenverkehr',
	usage: 'Nutzungsmeldungen',
	edges: 'Edges',
	ledger: 'Hauptbuch',
	mail: 'E-Mails',
	team: 'Team',
	acts: 'Aktivität',
	token: 'Reseller-API',
	account: 'Konto',
};

export const shellTexts: typeof english = {
	skip: 'Zum Inhalt springen',
	navigation: 'Seiten',
	openNavigation: 'Liste der Seiten öffnen',
	closeNavigation: 'Liste der Seiten schließen',
	operator: 'Betreiber',
	signOut: 'Abmelden',
	userMenu: (email) => `Konto von ${email}`,
	timesAre: (zone) => `Zeiten: ${zone}`,
	reload: 'Seite neu laden',
	offline: 'Ihr Browser ist offline. Was Sie sehen, kann veraltet sein, und Änderungen können nicht gesendet werden.',
	onlyReads:
		'Sie sind Leser: Sie können hier alles außer Proxy-Schlüsseln lesen und nichts ändern. Ein Inhaber Ihres Teams kann Ihnen eine andere Rolle geben.',
	suspendedTitle: 'Der Betreiber hat dieses Konto ausgesetzt',
	suspendedSince: 'Seit',
	suspended:
		'lehnen die Proxys Sie und Ihre Unterbenutzer ab. Sie können alles lesen und Ihr Token ersetzen, aber kein Guthaben und keinen Unterbenutzer ändern. Fragen Sie den Betreiber dieses Dienstes.',
	faultTitle: 'Diese Seite hat einen Fehler',
	fault:
		'Die Seite wurde wegen eines Fehlers angehalten. Laden Sie die Seite neu. Wenn Sie etwas geändert haben, sehen Sie nach, ob es getan ist, bevor Sie es wiederholen. Wenn es wieder geschieht, senden Sie dem Betreiber dieses Dienstes diesen Text:',
	notLoadedTitle: 'Diese Seite konnte nicht geladen werden',
	notLoaded:
		'Das Dashboard wurde aktualisiert, seit Sie es geöffnet haben, oder die Verbindung ist abgebrochen. Laden Sie diese Seite neu.',
	notFoundTitle: 'Nicht gefunden',
	notFound: 'Unter dieser Adresse gibt es keine Seite.',
	toStart: 'Zur Startseite',
	elsewhereTitle: 'Das Dashboard hat eine andere Adresse',
	elsewhere: 'Unter dieser Adresse können Sie sich nicht anmelden. Öffnen Sie das Dashboard hier:',
};
