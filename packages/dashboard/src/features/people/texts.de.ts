import type { peopleTexts as english } from './texts.ts';

export const peopleTexts: typeof english = {
	pageLead: 'Alle, die sich auf dem Dashboard anmelden: Betreiber und die Personen aller Reseller.',
	label: 'Personen',
	search: 'Nach dem Anfang der Adresse suchen',
	of: 'Wessen Personen',
	ofAll: 'Alle',
	ofOperators: 'Betreiber',
	ofResellers: 'Personen von Resellern',
	operator: 'Betreiber',
	you: 'Sie',
	none: 'Es gibt noch niemanden.',
	nothingFound: 'Niemand hat eine solche Adresse.',

	people: 'Personen',
	peopleLead: 'Wer sich auf dem Dashboard für diesen Reseller anmelden darf.',
	noPeople: 'Es gibt noch niemanden. Laden Sie jemanden ein, der diesen Reseller verwaltet.',
	email: 'E-Mail-Adresse',
	states: { invited: 'Eingeladen', active: 'Aktiv', locked: 'Gesperrt' },
	withFactor: 'mit zweitem Faktor',
	withoutFactor: 'ohne zweiten Faktor',
	seen: 'aktiv',
	notSignedIn: 'jetzt nicht angemeldet',
	invite: 'Person einladen',
	inviteOperator: 'Betreiber einladen',
	inviteIntro: (reseller) =>
		`Sie erhalten einen Link, der 72 Stunden und nur einmal gilt. Senden Sie ihn der Person: Wer ihn öffnet, legt das Passwort fest und handelt für ${reseller}.`,
	inviteOperatorIntro:
		'Sie erhalten einen Link, der 72 Stunden und nur einmal gilt. Senden Sie ihn der Person: Wer ihn öffnet, legt das Passwort fest und wird Betreiber dieses ganzen Dienstes.',
	inviteAgain: 'Neuen Link erstellen',
	inviteAgainOne: (email) => `Neuen Link für ${email} erstellen`,
	inviteNow: 'Link erstellen',
	linkTitle: 'Der Link der Einladung',
	linkIntro: (email, expires) =>
		`Senden Sie diesen Link an ${email}. Er gilt bis ${expires} und nur einmal. Er wird nur jetzt angezeigt.`,
	linkLabel: 'Link der Einladung',
	linkLost:
		'Die Person wurde eingeladen, aber der Link stand in der Antwort, die verloren ging, und kann nicht noch einmal angezeigt werden. Schließen Sie dies, und laden Sie dieselbe Adresse noch einmal ein: Der neue Link ersetzt den verlorenen.',

	'/operator/people/lock': {
		action: 'Sperren',
		one: (email) => `${email} sperren`,
		title: (email) => `${email} sperren?`,
		effect:
			'Alle Sitzungen dieser Person enden sofort, und jede Anmeldung wird abgelehnt, bis jemand die Person entsperrt. Um den Zugang einer Person für immer zu beenden, entfernen Sie die Person.',
	},
	'/operator/people/unlock': {
		action: 'Entsperren',
		one: (email) => `${email} entsperren`,
		title: (email) => `${email} entsperren?`,
		effect: 'Diese Person kann sich wieder anmelden, mit demselben Passwort und denselben zweiten Faktoren wie zuvor.',
	},
	'/operator/people/reset': {
		action: 'Zurücksetzen',
		one: (email) => `${email} zurücksetzen`,
		title: (email) => `${email} zurücksetzen?`,
		effect:
			'Für jemanden, der das Passwort, das Telefon oder den Passkey verloren hat. Das Passwort, die Passkeys, die Einmalcodes und die Wiederherstellungscodes werden entfernt, und alle Sitzungen enden. Sie erhalten einen Link, mit dem die Person neu beginnt. Eine gesperrte Person bleibt gesperrt.',
		linkTitle: 'Der Link für den Neubeginn',
		linkLabel: 'Link für den Neubeginn',
		linkLost:
			'Die Person wurde zurückgesetzt, aber der Link stand in der Antwort, die verloren ging, und kann nicht noch einmal angezeigt werden. Schließen Sie dies, und setzen Sie die Person noch einmal zurück: Dann erhalten Sie einen neuen Link.',
	},
	'/operator/people/remove': {
		action: 'Entfernen',
		one: (email) => `${email} entfernen`,
		title: (email) => `${email} entfernen?`,
		effect:
			'Alle Sitzungen dieser Person enden sofort, und das Passwort, die zweiten Faktoren und die Links werden entfernt. Was die Person getan hat, bleibt in der Aktivität, mit dieser Adresse. Das kann nicht rückgängig gemacht werden; dieselbe Adresse kann wieder eingeladen werden, als andere Person.',
	},
};
