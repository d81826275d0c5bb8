import type { suspensionTexts as english } from './suspension-texts.ts';

export const suspensionTexts: typeof english = {
	title: 'Zustand',
	active: 'Aktiv',
	suspended: 'Ausgesetzt',
	activeLead: 'Er kann Änderungen machen, und die Proxys prüfen seine Namen und Schlüssel wie sonst.',
	suspendedLead: 'Alle seine Schlüssel werden abgelehnt, und er kann kein Guthaben und keinen Unterbenutzer ändern.',
	since: 'Seit',
	repeated: 'Es ist getan: Der Zustand ist, wie Sie ihn gesetzt haben, wenn ihn seitdem niemand geändert hat.',
	'/operator/suspend': {
		action: 'Aussetzen',
		title: (reseller) => `${reseller} aussetzen?`,
		intro: (reseller) => `Das Geschäft von ${reseller} steht still, bis jemand ihn wieder freigibt:`,
		effects: [
			'Binnen Sekunden lehnen die Proxys ihn und alle seine Unterbenutzer ab und trennen ihre Verbindungen.',
			'Seine Programme und Personen können alles lesen, aber kein Guthaben und keinen Unterbenutzer ändern. Sie erhalten „suspended“, und auf jeder ihrer Seiten steht ein Hinweis.',
			'Guthaben, Schlüssel, Token und Personen bleiben, wie sie sind. Sie können ihn weiter aufladen, seinen Preis setzen und seine Token beenden.',
		],
	},
	'/operator/resume': {
		action: 'Freigeben',
		title: (reseller) => `${reseller} wieder freigeben?`,
		intro: (reseller) => `${reseller} macht weiter wie zuvor:`,
		effects: [
			'Binnen Sekunden gelten seine Schlüssel wieder, außer denen von Unterbenutzern, die er selbst ausgesetzt hat, die abgelaufen sind, eine Grenze erreicht haben oder kein Guthaben mehr haben.',
			'Seine Programme und Personen können wieder Änderungen machen.',
		],
	},
};
