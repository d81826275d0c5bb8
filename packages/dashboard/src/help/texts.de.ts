import type { helpTexts as english, glossary as englishGlossary } from './texts.ts';

export const glossary: typeof englishGlossary = {
	balance: {
		name: 'Guthaben',
		means:
			'Geld, das im Voraus bezahlt wurde. Das Guthaben eines Resellers bezahlt neue Unterbenutzer und was sie erhalten, und, wenn es einen Preis gibt, die Bandbreite.',
	},
	sub_user: {
		name: 'Unterbenutzer',
		means:
			'Ein Kunde, ein Programm oder ein Gerät eines Resellers, mit eigenem Namen, Schlüssel, Guthaben und Limits. Er meldet sich an den Proxys an, nie hier.',
	},
	proxy_auth_key: {
		name: 'Proxy-Schlüssel',
		means:
			'Das Passwort eines Unterbenutzers an den Proxys. Es öffnet weder dieses Dashboard noch die API. Beim Zurücksetzen entsteht ein neuer, und der bisherige endet sofort.',
	},
	token: {
		name: 'Token',
		means:
			'Das Geheimnis, mit dem Programme die Reseller-API benutzen. Es kann Geld bewegen; bewahren Sie es wie ein Passwort auf.',
	},
	edge: {
		name: 'Edge',
		means:
			'Ein Rechner, auf dem Proxys laufen. Er fragt diesen Dienst, ob ein Unterbenutzer durchgelassen wird, und meldet die Bytes. Er bewegt kein Geld.',
	},
	exhausted: {
		name: 'Aufgebraucht',
		means: 'Vom Guthaben ist nichts übrig; die Proxys lehnen das Konto ab, bis es wieder etwas erhält.',
	},
	limit: {
		name: 'Limit',
		means:
			'Was ein Unterbenutzer höchstens verbrauchen darf, wie viel Guthaben er auch hat. Die Proxys trennen ihn, wenn ein Limit erreicht ist; Tages- und Monatslimits öffnen sich von selbst wieder.',
	},
	uncollected: {
		name: 'Nicht eingezogen',
		means:
			'Kosten für Bandbreite, die kein Guthaben deckte, weil ein Konto schneller aufgebraucht war, als es getrennt wurde. Keine spätere Gutschrift bezahlt sie.',
	},
	proof: {
		name: 'Bestätigung',
		means:
			'Wer einen offenen Browser findet, soll weder Geld bewegen noch Schlüssel nehmen können. Darum braucht eine solche Änderung noch einmal das Passwort oder einen Passkey; das gilt dann einige Minuten.',
	},
	reference: {
		name: 'Referenz',
		means:
			'Was eine Zahlung in Ihren eigenen Büchern bezeichnet, etwa die Nummer einer Rechnung. Eine Referenz zählt einmal; eine doppelt gesendete Zahlung wird nicht doppelt gezählt.',
	},
	ledger: {
		name: 'Hauptbuch',
		means:
			'Alle Transaktionen, die ältesten zuerst. Keine wird je geändert oder entfernt. Eine Prüfung addiert sie neu und vergleicht jedes Guthaben mit der Summe.',
	},
	report: {
		name: 'Meldung',
		means:
			'Die Bytes, die eine Edge für einen Unterbenutzer gezählt hat. Eine Meldung, die zweimal ankommt, wird einmal gezählt.',
	},
};

export const helpTexts: typeof english = {
	ask: (name) => `Was bedeutet „${name}“?`,
};
