import { MAX_PASSKEYS } from '@bursar/contract/dashboard';
import type { accountTexts as english } from './texts.ts';

export const accountTexts: typeof english = {
	lead: (email, owner) => `Sie sind als ${email} angemeldet, für ${owner}.`,
	operator: 'den Betreiber dieses Dienstes',

	noFactorTitle: 'Ihr Konto hat keinen zweiten Faktor',
	noFactor: 'Wer Ihr Passwort erfährt, kann das Token ersetzen. Fügen Sie unten einen Passkey oder Einmalcodes hinzu.',
	fewCodesTitle: (left) =>
		left === 0
			? 'Sie haben keine Wiederherstellungscodes'
			: `Sie haben nur noch wenige Wiederherstellungscodes: ${left}`,
	fewCodes:
		'Wenn Sie Ihr Telefon oder Ihren Passkey verlieren, kommen Sie ohne den Betreiber nur mit einem Wiederherstellungscode herein. Erstellen Sie unten zehn neue.',

	password: 'Passwort',
	passwordLead: 'Damit melden Sie sich an und bestätigen vor wichtigen Änderungen, dass Sie es sind.',
	changePassword: 'Passwort ändern',
	passwordEnds: 'Alle Ihre anderen Sitzungen enden. Diese bleibt.',
	passwordChanged: 'Das Passwort wurde geändert, und Ihre anderen Sitzungen sind beendet.',

	passkeys: 'Passkeys',
	noPasskeys: 'Sie haben keinen Passkey.',
	passkeysNotHere: 'Passkeys funktionieren nur unter einer Adresse mit https und unter localhost.',
	tooManyPasskeys: `Sie haben ${MAX_PASSKEYS} Passkeys. Entfernen Sie einen, den Sie nicht benutzen, bevor Sie einen weiteren hinzufügen.`,
	added: 'Hinzugefügt am',
	lastUsed: 'zuletzt benutzt',
	neverUsed: 'nie benutzt',
	rename: 'Umbenennen',
	renameOne: (name) => `${name} umbenennen`,
	renameTitle: 'Passkey umbenennen',
	name: 'Name',
	remove: 'Entfernen',
	removeOne: (name) => `${name} entfernen`,
	removePasskeyTitle: 'Passkey entfernen?',
	removePasskey: (name) =>
		`Sie können sich mit „${name}“ nicht mehr anmelden. Löschen Sie ihn auch auf Ihrem Gerät, damit der Browser ihn nicht mehr anbietet.`,
	lastFactor:
		'Betreiber müssen einen Passkey oder Einmalcodes behalten. Fügen Sie etwas anderes hinzu, bevor Sie dies entfernen.',

	codesOn: 'Einmalcodes sind eingerichtet.',
	codesOff: 'Einmalcodes sind nicht eingerichtet.',
	replaceCodes: 'Zu einer anderen App wechseln',
	removeCodesTitle: 'Einmalcodes entfernen?',
	removeCodes: 'Die Codes Ihrer App werden nicht mehr angenommen.',

	recovery: 'Wiederherstellungscodes',
	recoveryLead:
		'Jeder meldet Sie einmal an, zusammen mit Ihrem Passwort, wenn Sie Ihr Telefon oder Ihren Passkey verlieren.',
	recoveryLeft: (left) => (left === 1 ? '1 Code ist übrig.' : `${left} Codes sind übrig.`),
	noRecovery: 'Mit Ihrem ersten Passkey oder Ihren ersten Einmalcodes erhalten Sie zehn Wiederherstellungscodes.',
	newRecovery: 'Zehn neue Codes erstellen',
	newRecoveryTitle: 'Zehn neue Wiederherstellungscodes erstellen?',
	newRecoveryLost:
		'Die neuen Codes wurden erstellt, aber sie standen in der Antwort, die verloren ging, und können nicht noch einmal angezeigt werden. Schließen Sie dies, und erstellen Sie noch einmal neue.',
	newRecoveryEnds: 'Die übrigen Codes werden nicht mehr angenommen. Die neuen werden nur einmal angezeigt.',

	browser: (name, system) => (system === undefined ? name : `${name} auf ${system}`),
	unknownBrowser: 'Unbekannter Browser',
	sessions: 'Sitzungen',
	sessionsLead:
		'Wo Sie angemeldet sind. Wenn Sie eine Sitzung nicht erkennen, beenden Sie sie und ändern Sie Ihr Passwort.',
	thisSession: 'Diese',
	lastSeen: 'Zuletzt aktiv',
	signedIn: 'angemeldet am',
	end: 'Beenden',
	endOne: (browser, address) => `Sitzung von ${browser} unter ${address} beenden`,
	endOthers: 'Alle anderen Sitzungen beenden',
	endOthersTitle: 'Alle anderen Sitzungen beenden?',
	endOthersEffect: 'Jeder andere Browser wird sofort abgemeldet. Dieser bleibt angemeldet.',
	onlySession: 'Sie sind sonst nirgends angemeldet.',

	save: 'Speichern',
};
