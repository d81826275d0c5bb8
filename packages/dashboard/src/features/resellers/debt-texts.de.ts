import { typedMoney } from '../../format/money.ts';
import type { resellerDebtTexts as english } from './debt-texts.ts';

export const resellerDebtTexts: typeof english = {
	owed: 'Schuldet für Datenverkehr',
	line: 'Grenze der Schuld',
	beyond: (line) =>
		`Die Schuld liegt über ihrer Grenze von ${line}. Darum lehnen die Proxys die Paare des Resellers und aller seiner Unterbenutzer ab.`,
	below: (line) => `Über der Grenze von ${line} lehnen die Proxys alle Paare dieses Resellers ab.`,
	unpriced: 'Wegen der Schuld wird niemand abgelehnt, solange Datenverkehr nichts kostet.',
	forgive: 'Erlassen',
	forgiveNow: (amount) => (amount === undefined ? 'Erlassen' : `${amount} erlassen`),
	dialogTitle: (reseller) => `${reseller} eine Schuld erlassen`,
	intro:
		'Verringert, was der Reseller für Datenverkehr schuldet, ohne eine Zahlung. Der Kontoauszug zeigt es mit dem Grund.',
	amount: 'Betrag in US-Dollar',
	amountHint: (debt) => `Höchstens die Schuld, ${debt}.`,
	problems: {
		unreadable: `Geben Sie Dollar und Cent ein, zum Beispiel ${typedMoney(1230)}.`,
		zero: 'Der kleinste Betrag ist 0,01 $.',
		too_much: 'Der Reseller schuldet weniger als das.',
		too_large: 'Der Reseller schuldet weniger als das.',
	},
	reason: 'Grund',
	reasonHint: 'Wird gebraucht. Der Reseller sieht ihn.',
	now: 'Schuld jetzt',
	after: 'Schuld danach',
	repeated: 'Es ist getan: Die Schuld ist um das kleiner, was Sie erlassen haben.',
	lineField: 'Grenze der Schuld in US-Dollar',
	lineHint:
		'Datenverkehr, den kein Guthaben gedeckt hat, schuldet der Reseller. Schuldet er mehr als das, lehnen die Proxys alle seine Paare ab.',
	lineProblem: `Geben Sie Dollar und Cent ein, zum Beispiel ${typedMoney(500)}; bei 0 wird ab dem ersten Cent abgelehnt.`,
};
