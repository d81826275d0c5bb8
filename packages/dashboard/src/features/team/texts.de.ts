import type { teamTexts as english } from './texts.ts';

export const teamTexts: typeof english = {
	lead: (reseller) => `Wer sich auf dem Dashboard für ${reseller} anmelden darf, und was jede Person darf.`,
	people: 'Personen',
	list: 'Personen des Teams',
	onlyOwners: 'Nur Inhaber ändern das Team. Fragen Sie einen von ihnen.',
	you: 'Sie',
	states: { invited: 'Eingeladen', active: 'Aktiv', locked: 'Gesperrt' },
	withFactor: 'Mit zweitem Faktor',
	withoutFactor: 'Ohne zweiten Faktor',
	seen: 'Zuletzt aktiv',
	notSignedIn: 'Jetzt nicht angemeldet',

	invite: 'Kollegen einladen',
	inviteIntro:
		'Sie erhalten einen Link, der 72 Stunden und nur einmal gilt. Senden Sie ihn auf einem Weg, den niemand sonst liest: Wer ihn zuerst öffnet, legt das Passwort fest.',
	inviteAgain: 'Neuer Link',
	inviteAgainOne: (email) => `Neuer Link für ${email}`,

	role: 'Rolle',
	roleOne: (email) => `Rolle von ${email} ändern`,
	roleIntro: 'Die neue Rolle gilt sofort, auch dort, wo diese Person jetzt angemeldet ist.',
	roleNow: 'Rolle ändern',

	remove: 'Entfernen',
	removeOne: (email) => `${email} entfernen`,
	removeTitle: (email) => `${email} aus dem Team entfernen`,
	removeIntro:
		'Alle Sitzungen dieser Person enden sofort, und das Passwort und die zweiten Faktoren werden gelöscht. Was die Person getan hat, bleibt in der Aktivität. Wenn die Person Ihr Token kennt, ersetzen Sie es auch.',
	removeNow: 'Aus dem Team entfernen',
};
