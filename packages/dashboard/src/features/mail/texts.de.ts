import type {
	mailTexts as english,
	mailChoiceTexts as englishChoice,
	mailKindTexts as englishKinds,
	stopMailTexts as englishStop,
} from './texts.ts';

export const mailKindTexts: typeof englishKinds = {
	new_sign_in: { name: 'Neue Anmeldung', when: 'Jemand meldet sich als Sie in einem unbekannten Browser an.' },
	token_changed: { name: 'Token geändert', when: 'Das Token der API wird ersetzt, oder alle Token werden beendet.' },
	low_balance: {
		name: 'Wenig Guthaben',
		when: 'Das Guthaben fällt unter den Betrag, der auf der Übersicht gesetzt ist.',
	},
	debt: {
		name: 'Schuld für Datenverkehr',
		when: 'Sie schulden Datenverkehr, den kein Guthaben gedeckt hat, oder die Schuld ist so hoch, dass die Proxys alle abweisen.',
	},
	exhausted_sub_user: {
		name: 'Guthaben eines Unterbenutzers aufgebraucht',
		when: 'Der Datenverkehr hat aufgebraucht, was ein Unterbenutzer hatte.',
	},
	silent_edge: { name: 'Stille Edge', when: 'Eine Edge hat sich 10 Minuten lang nicht gemeldet.' },
	failed_verification: {
		name: 'Fehlgeschlagene Prüfung',
		when: 'Eine Prüfung des Hauptbuchs findet Fehler oder wird nicht beendet.',
	},
};

export const mailChoiceTexts: typeof englishChoice = {
	title: 'E-Mails',
	lead: (email) =>
		`Worüber Sie E-Mails an ${email} erhalten. Was binnen einer Viertelstunde geschieht, kommt zusammen an.`,
	notSetUp: 'Der Betreiber dieses Dienstes hat keine E-Mails eingerichtet, deshalb erhält niemand welche.',
};

export const mailTexts: typeof english = {
	lead: 'E-Mails an die Personen der Reseller und an Betreiber. Jede Person wählt auf der Seite Konto, welche sie erhält.',
	notSetUp:
		'Es werden keine E-Mails gesendet: Kein Mailserver ist eingerichtet. Wie es geht, steht im Betriebshandbuch (Seite „Mail“).',
	title: 'Versand',
	server: 'Mailserver',
	from: 'Absender',
	waiting: 'Wartend',
	failing: 'Davon mit Fehlern',
	givenUp: 'Aufgegeben, insgesamt',
	failingTitle: 'E-Mails konnten nicht gesendet werden',
	failure: (failure) => `Der letzte Versuch endete mit: ${failure}.`,
	since: 'Die älteste wurde begonnen am',
	retried:
		'Jede wird drei Tage lang wieder versucht. Was die Antworten eines Mailservers bedeuten, steht im Betriebshandbuch.',
};

export const stopMailTexts: typeof englishStop = {
	title: 'E-Mails abbestellen',
	badLink: 'Dieser Link ist nicht vollständig, oder die Person gibt es hier nicht mehr.',
	question: (about) => `E-Mails hierüber abbestellen: ${about}?`,
	effect:
		'Sie erhalten sie nicht mehr an der Adresse, an die diese E-Mail ging. Auf der Seite Konto können Sie sie wieder bestellen.',
	stop: 'Diese E-Mails abbestellen',
	stopped: (about) => `Abbestellt: ${about}. Was von jetzt an geschieht, wird Ihnen nicht gemeldet.`,
	toAccount: 'E-Mails auf der Seite Konto auswählen',
};
