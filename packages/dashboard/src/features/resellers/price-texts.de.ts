import { MAX_PRICE_MICRO_USD } from '@bursar/contract/limits';
import { priceText, typedMoney } from '../../format/money.ts';
import type { priceTexts as english } from './price-texts.ts';

export const priceTexts: typeof english = {
	title: 'Preis je GB',
	metered:
		'Die Guthaben dieses Resellers und seiner Unterbenutzer bezahlen den Datenverkehr zu diesem Preis, Upload und Download zusammen. Wer nichts mehr hat, wird von den Proxys abgelehnt.',
	notMetered:
		'Datenverkehr kostet nichts. Guthaben sind, was gegeben und zurückgeholt wird: Sie begrenzen den Datenverkehr nicht.',
	set: 'Preis setzen',
	setNow(price) {
		if (price === undefined) return 'Setzen';
		return price === null ? 'Nicht mehr berechnen' : `${this.ofGb(price)} setzen`;
	},
	ofGb: (price) => (price === null ? 'Nicht berechnet' : `${priceText(price)} je GB`),
	dialogTitle: (reseller) => `Preis je GB für ${reseller}`,
	intro:
		'Was von jetzt an gezählt wird, wird zu diesem Preis berechnet. Was vorher gezählt wurde, bleibt, wie es berechnet wurde. 1 GB sind 10⁹ Bytes, Upload und Download zusammen.',
	cutOff:
		'Von jetzt an bezahlen Guthaben den Datenverkehr: Konten ohne Guthaben werden binnen Sekunden von den Proxys abgelehnt.',
	stopped: 'Von jetzt an kostet Datenverkehr nichts, und Guthaben begrenzen ihn nicht.',
	price: 'US-Dollar je GB',
	hint: `Zum Beispiel ${typedMoney(350)}, mit höchstens sechs Nachkommastellen.`,
	problems: {
		unreadable: `Geben Sie Dollar mit höchstens sechs Nachkommastellen ein, zum Beispiel ${typedMoney(350)}.`,
		zero: `Der niedrigste Preis ist ${priceText(1)}. Um nichts zu berechnen, wählen Sie das unten.`,
		too_large: `Der höchste Preis ist ${priceText(MAX_PRICE_MICRO_USD)} je GB.`,
	},
	stop: 'Nichts berechnen',
	now: 'Preis jetzt',
	after: 'Preis danach',
	repeated: 'Es ist getan: Der Preis ist, wie Sie ihn gesetzt haben, wenn ihn seitdem niemand geändert hat.',
	history: 'Änderungen des Preises',
	since: 'Seit',
	by: 'Von',
	unknown: 'Nicht aufgezeichnet',
};
