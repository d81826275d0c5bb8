import { numberText } from '../../format/number.ts';
import type { statementTexts as english } from './texts.ts';

export const statementTexts: typeof english = {
	lead: (zone) => `Alle Umsätze Ihres Guthabens, die neuesten zuerst. Alle Zeiten sind in ${zone}.`,
	label: 'Umsätze',
	at: 'Zeit',
	kind: 'Umsatz',
	subUser: 'Unterbenutzer',
	amount: 'Betrag',
	balance: 'Guthaben',
	ownBalance: 'Ihr Guthaben',
	by: 'Von',
	none: 'Es gibt noch keine Umsätze.',
	nothingOlder: 'Es gibt nichts Älteres.',
	nothingFound: 'Kein Umsatz passt zu diesen Filtern.',
	unknownSubUser: 'Es gibt keinen Unterbenutzer mit diesem Namen.',
	nothingYet: 'Bisher nichts gefunden.',
	kinds: {
		top_up: 'Aufladung',
		adjustment: 'Korrektur',
		create_fee: 'Gebühr für einen Unterbenutzer',
		give: 'Gegeben',
		take: 'Zurückgeholt',
		usage: 'Datenverkehr',
	},
	makers: { api: 'API', person: 'Betreiber', operator: 'Betreiber', service: 'Bursar' },
	token: (tail) => `Token …${tail}`,
	allKinds: 'Alle',
	invalidSubUser: 'Kein Unterbenutzer kann diesen Namen haben.',
	csv: 'Als CSV herunterladen',
	usage: (bytes) => `Für ${bytes}`,
	atPrice: (bytes, price) => `${bytes} zu ${price} je GB, seit`,
	uncollected: (amount) =>
		`Weitere ${amount} deckte das Guthaben nicht. Sie sind nicht eingenommen: Keine spätere Aufladung bezahlt sie.`,
	balanceOf: (username) => `von ${username}`,
	period: 'Zeitraum',
	totals: {
		top_up: 'Aufladungen',
		adjustment: 'Korrekturen',
		create_fee: 'Gebühren',
		give: 'Gegeben',
		take: 'Zurückgeholt',
		usage: 'Datenverkehr',
	},
	periods: { all: 'Alle', this_month: 'Dieser Monat', last_month: 'Letzter Monat' },
	summary: 'Guthaben und Summen',
	opening: 'Anfangsguthaben',
	closing: 'Endguthaben',
	addingUp: 'Wird summiert …',
	count: (count) => `(${numberText(count)})`,
	total: transactionsText,
	bySubUsers: (amount, count) =>
		`Unterbenutzer haben ${amount} für Datenverkehr aus ihren eigenen Guthaben bezahlt, in ${count === 1 ? '1 Umsatz' : `${numberText(count)} Umsätzen`}. Das gehört nicht zu diesem Guthaben.`,
	notPosted: (amount, balance) =>
		`Noch nicht gebucht: ${amount} für Datenverkehr. Damit ist das Guthaben jetzt ${balance}.`,
	months: 'Monate',
	monthsLead: (zone) =>
		`Das Guthaben vor und nach jedem Monat, und was dazwischen geschah. Die Monate sind die von ${zone}.`,
	month: 'Monat',
	openingOfMonth: 'Anfang',
	closingOfMonth: 'Ende',
	print: 'Drucken',
	printed: 'Kontoauszug',
	printMonth: (month) => `Kontoauszug für ${month} drucken`,
	title: 'Kontoauszug',
	fileTitle: (reseller, from, to) => ['Kontoauszug', reseller, from, to].filter(Boolean).join(' '),
	account: 'Konto',
	timesIn: 'Zeiten in',
	made: 'Erstellt',
	fromTo: (from, to) => `${from} – ${to}`,
	out: 'Ausgang',
	in: 'Eingang',
	kindOf: (kind, username) => `${kind}: ${username}`,
	kindTotal: (kind, count) => `${kind} (${numberText(count)})`,
	notPrinted: (count) =>
		`${count === 1 ? '1 weiterer Umsatz ist' : `${numberText(count)} weitere Umsätze sind`} nicht gedruckt. Wählen Sie weniger Tage, oder laden Sie alles als CSV herunter.`,
	notPostedYet:
		'Guthaben sind hier die des Hauptbuchs. Es bucht Datenverkehr einmal nach jedem UTC-Tag und wenn ein Konto bezahlt, Geld erhält oder aufgebraucht ist. Was seit der letzten Zeile eines Kontos benutzt wurde, ist also noch nicht darin.',
};

function transactionsText(count: number): string {
	return count === 1 ? '1 Umsatz' : `${numberText(count)} Umsätze`;
}
