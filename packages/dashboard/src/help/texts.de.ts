import type { helpTexts as english, glossary as englishGlossary } from './texts.ts';

export const glossary: typeof englishGlossary = {
	balance: {
		name: 'Guthaben',
		means:
			'Geld, das im Voraus bezahlt wurde. Das Guthaben eines Resellers bezahlt neue Unterbenutzer und was sie erhalten, und, wenn es einen Preis gibt, den Datenverkehr.',
	},
	sub_user: {
		name: 'Unterbenutzer',
		means:
			'Ein Kunde, ein Programm oder ein Gerät eines Resellers, mit eigenem Namen, Schlüssel, Guthaben und Grenzen. Er meldet sich an den Proxys an, nie hier.',
	},
	proxy_auth_key: {
		name: 'Proxy-Schlüssel',
		means:
			'Das Passwort eines Unterbenutzers an den Proxys. Es öffnet weder dieses Dashboard noch die API. Wird er ersetzt, gilt der bisherige nach wenigen Sekunden nicht mehr.',
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
		name: 'Grenze',
		means:
			'Was ein Unterbenutzer höchstens verbrauchen darf, wie viel Guthaben er auch hat. Die Proxys trennen ihn, wenn eine Grenze erreicht ist; die eines Tages und eines Monats öffnen sich von selbst wieder.',
	},
	debt: {
		name: 'Schuld',
		means:
			'Kosten für Datenverkehr, die kein Guthaben deckte, weil ein Konto schneller aufgebraucht war, als es getrennt wurde. Der Reseller schuldet sie, und was auf sein Guthaben kommt, bezahlt sie zuerst. Über einer Grenze, die der Betreiber setzt, weisen die Proxys alle seine Unterbenutzer ab, bis sie bezahlt ist.',
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
			'Alle Umsätze, die ältesten zuerst. Keiner wird je geändert oder entfernt. Eine Prüfung addiert sie neu und vergleicht jedes Guthaben mit der Summe.',
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
