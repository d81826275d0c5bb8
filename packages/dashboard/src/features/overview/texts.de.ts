import type { overviewTexts as english } from './texts.ts';

export const overviewTexts: typeof english = {
	lead: (reseller) => `Das Konto von ${reseller} auf einen Blick.`,

	balance: 'Guthaben',
	ownPair: 'Ihr eigener Zugang zu den Proxys:',
	paysForNoBandwidth: 'Bezahlt neue Unterbenutzer und was Sie ihnen geben. Datenverkehr wird nicht berechnet.',
	paysForBandwidth: (price) =>
		`Bezahlt neue Unterbenutzer, was Sie ihnen geben, und Ihren eigenen Datenverkehr mit ${price} je GB.`,
	lowTitle: (bound) => `Ihr Guthaben liegt unter ${bound}`,
	low: 'Bitten Sie den Betreiber dieses Dienstes um eine Aufladung.',
	warnsBelow: (bound) => `Unter ${bound} erscheint hier eine Warnung.`,
	warnsNever: 'Für wenig Guthaben ist keine Warnung gesetzt.',
	changeBound: 'Warnung ändern',
	setBound: 'Warnung setzen',
	boundTitle: 'Warnung bei wenig Guthaben',
	boundIntro: 'Diese Seite warnt alle in diesem Konto, solange das Guthaben unter diesem Betrag liegt.',
	bound: 'Warnen unter, in US-Dollar',
	save: 'Speichern',
	noWarning: 'Nicht warnen',
	boundRepeated: 'Es ist getan: Die Warnung ist, wie Sie sie gesetzt haben, wenn sie seitdem niemand geändert hat.',

	subUsers: 'Unterbenutzer',
	allSubUsers: 'Alle ansehen',
	connect: 'Ein Programm mit den Proxys verbinden',
	createFirst: 'Den ersten anlegen',

	thisMonth: 'Dieser Monat',
	toMonth: 'Seine Umsätze ansehen',
	addingUp: 'Er wird zusammengezählt.',
	atStart: 'Guthaben zu Beginn',
	now: 'Guthaben jetzt',
	notPosted: 'Noch nicht gebuchter Datenverkehr',
	lasts: 'Alle Guthaben reichen für',

	recent: 'Letzte Umsätze',
	recentLead: 'Die letzten zehn Umsätze Ihres Guthabens.',
	noMovements: 'Es gibt noch keine Umsätze.',
	statement: 'Alle Umsätze ansehen',
};
