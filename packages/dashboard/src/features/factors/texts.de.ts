import { MIN_PASSWORD_CHARACTERS } from '@bursar/contract/dashboard';
import type {
	factorTexts as english,
	passkeyTexts as englishPasskey,
	passwordTexts as englishPassword,
} from './texts.ts';

export const factorTexts: typeof english = {
	title: 'Schützen Sie Ihr Konto',
	leadRequired:
		'Betreiber melden sich mit einem zweiten Faktor an. Fügen Sie einen Passkey oder Einmalcodes hinzu. Das andere können Sie später hinzufügen.',
	lead: 'Ein zweiter Faktor schützt Ihr Konto, wenn jemand Ihr Passwort erfährt. Sie können ihn später auf der Seite Konto hinzufügen.',
	skip: 'Jetzt nicht',
	passkeyTitle: 'Passkey',
	passkeyLead:
		'Melden Sie sich mit Ihrem Fingerabdruck, Ihrem Gesicht, der PIN Ihres Geräts oder einem Sicherheitsschlüssel an.',
	passkeyName: 'Name des Passkeys',
	passkeyNameHint: 'Damit Sie ihn später erkennen, zum Beispiel: mein Laptop.',
	addPasskey: 'Passkey hinzufügen',
	codesTitle: 'Einmalcodes',
	codesLead: 'Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code aus sechs Ziffern.',
	setUpCodes: 'Einmalcodes einrichten',
	scan: 'Scannen Sie dieses Bild mit Ihrer App. Jede App für Einmalcodes (TOTP) ist geeignet.',
	qrLabel: 'QR-Code mit dem Geheimnis Ihrer Einmalcodes',
	bySecret: 'Keine Kamera? Geben Sie dieses Geheimnis in der App ein:',
	firstCode: 'Code, den die App jetzt zeigt',
	confirmCode: 'Bestätigen',
	setupTooOld:
		'Die Einrichtung gilt 10 Minuten. Wenn der Code noch einmal abgelehnt wird, brechen Sie ab und beginnen Sie neu.',
	recoveryTitle: 'Ihre Wiederherstellungscodes',
	recoveryLead:
		'Wenn Sie Ihr Telefon oder Ihren Passkey verlieren, meldet Sie einer dieser Codes zusammen mit Ihrem Passwort an. Jeder gilt einmal. Sie werden nur jetzt angezeigt: Bewahren Sie sie dort auf, wo Sie Ihre Passwörter aufbewahren.',
	recoveryLabel: 'Wiederherstellungscodes',
	recoveryStored: 'Ich habe sie gespeichert',
};

export const passkeyTexts: typeof englishPasskey = {
	cancelled: {
		happened: 'Es wurde kein Passkey benutzt.',
		todo: 'Es dauerte zu lange, oder Sie haben abgebrochen. Versuchen Sie es noch einmal, wenn Sie bereit sind.',
	},
	exists: {
		happened: 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
		todo: 'Benutzen Sie diesen, oder wählen Sie ein anderes Gerät.',
	},
	unsupported: {
		happened: 'Dieser Browser oder dieses Gerät kann hier keine Passkeys benutzen.',
		todo: 'Nehmen Sie einen anderen Browser, ein anderes Gerät oder Einmalcodes.',
	},
};

export const passwordTexts: typeof englishPassword = {
	password: 'Neues Passwort',
	hint: `Mindestens ${MIN_PASSWORD_CHARACTERS} Zeichen. Lang ist besser als kompliziert: Vier Wörter ohne Zusammenhang sind gut.`,
	missing: (count) => (count === 1 ? 'Noch ein Zeichen fehlt.' : `Noch ${count} Zeichen fehlen.`),
	isLongEnough: 'Das ist lang genug.',
	isTooLong: 'Das ist zu lang.',
	repeat: 'Dasselbe Passwort noch einmal',
	isDifferent: 'Die beiden Passwörter sind verschieden.',
};
