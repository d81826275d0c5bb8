import { MAX_ALLOWED_IPS, MAX_BYTES, MAX_CONNECTIONS, MAX_NOTE_CHARACTERS } from '@bursar/contract/limits';
import { numberText } from '../../format/number.ts';
import type { lifeTexts as english } from './texts.ts';

const MOST_GB = Math.floor(MAX_BYTES / 1e9);

export const lifeTexts: typeof english = {
	states: {
		active: 'Aktiv',
		suspended: 'Ausgesetzt',
		reseller_suspended: 'Reseller ausgesetzt',
		reseller_in_debt: 'Reseller schuldet zu viel',
		expired: 'Abgelaufen',
		no_balance: 'Noch kein Guthaben',
		exhausted: 'Aufgebraucht',
		limit_reached: 'Grenze erreicht',
	},
	ownPair: 'Sein eigener Zugang zu den Proxys:',
	title: 'Zustand',
	leads: {
		active: 'Die Proxys nehmen ihn an, soweit sein Guthaben und seine Grenzen reichen.',
		suspended: 'Die Proxys lehnen ihn ab, bis Sie ihn wieder freigeben. Sein Guthaben bleibt.',
		expired:
			'Die Proxys lehnen ihn ab, weil die Zeit vorbei ist, bis zu der er gilt. Setzen Sie eine spätere, damit es weitergeht.',
		reseller_suspended:
			'Die Proxys lehnen ihn ab, weil der Betreiber das ganze Konto seines Resellers ausgesetzt hat. Sein Guthaben bleibt.',
		reseller_in_debt:
			'Die Proxys lehnen ihn ab, weil sein Reseller zu viel für Datenverkehr schuldet. Sobald die Schuld bezahlt ist, nehmen sie ihn wieder an.',
		no_balance: 'Das Guthaben bezahlt den Datenverkehr. Deshalb lehnen die Proxys ihn ab, bis Sie ihm Guthaben geben.',
		exhausted: 'Sein Guthaben ist aufgebraucht: Die Proxys lehnen ihn ab, bis Sie ihm mehr geben.',
		limit_reached:
			'Die Proxys lehnen ihn ab, weil eine Grenze seines Datenverkehrs erreicht ist. Die eines Tages oder eines Monats öffnet sich um 00:00 UTC von selbst wieder.',
	},
	lastSeen: 'Zuletzt aktiv',
	never: 'Nie',
	note: 'Notiz',
	noNote: 'Keine',

	suspend: 'Aussetzen',
	resume: 'Freigeben',
	suspendTitle: (username) => `${username} aussetzen?`,
	resumeTitle: (username) => `${username} wieder freigeben?`,
	suspendIntro: (username) =>
		`Binnen Sekunden lehnen die Proxys ${username} ab und trennen die Verbindungen. Guthaben, Grenzen und Schlüssel bleiben. Sie können ${username} jederzeit wieder freigeben.`,
	resumeIntro: (username) =>
		`Binnen Sekunden nehmen die Proxys ${username} wieder an, soweit Guthaben und Grenzen reichen.`,

	editNote: 'Notiz ändern',
	noteTitle: (username) => `Notiz zu ${username}`,
	noteHint: `Für Sie und die Personen Ihres Kontos: eine Zeile mit höchstens ${MAX_NOTE_CHARACTERS} Zeichen. Leer: keine Notiz.`,
	noteTooLong: `Höchstens ${MAX_NOTE_CHARACTERS} Zeichen sind möglich.`,
	saveNote: 'Speichern',

	limits: 'Grenzen',
	limitsLead:
		'Tage und Monate sind die von UTC. Ist eine Grenze erreicht, wird der Unterbenutzer abgelehnt; die eines Tages und eines Monats öffnen sich um 00:00 UTC von selbst wieder.',
	limitNames: {
		day_bytes: 'Datenverkehr eines Tages',
		month_bytes: 'Datenverkehr eines Monats',
		total_bytes: 'Datenverkehr insgesamt',
		connections: 'Offene Verbindungen',
		allowed_ips: 'Erlaubte Adressen',
		expires_at: 'Läuft ab',
	},
	usedNoLimit: (used) => `${used} benutzt, keine Grenze`,
	usedOf: (used, limit) => `${used} von ${limit} benutzt`,
	openOf: (open, limit) => `${open} von ${limit} offen`,
	reached: 'Erreicht',
	noLimit: 'Keine Grenze',
	anyAddress: 'Jede',
	neverExpires: 'Nie',

	setLimits: 'Grenzen setzen',
	limitsTitle: (username) => `Grenzen von ${username}`,
	saveLimits: 'Grenzen setzen',
	emptyIsNone: 'Ein leeres Feld ist keine Grenze.',
	inGb: {
		day_bytes: 'GB eines UTC-Tages',
		month_bytes: 'GB eines UTC-Monats',
		total_bytes: 'GB insgesamt',
	},
	gbHint: `1 GB sind ${numberText(1e9)} Bytes, Upload und Download zusammen.`,
	connections: 'Verbindungen, die gleichzeitig offen sein dürfen',
	addresses: 'Adressen, von denen aus er benutzt werden darf',
	addressesHint: `Je Zeile eine: IPv4, IPv6 oder Netze wie 192.0.2.0/24; höchstens ${MAX_ALLOWED_IPS}.`,
	expiresOn: 'Läuft ab am',
	expiresAt: 'um',
	expiresHint: 'Ohne Uhrzeit am Ende dieses Tages.',
	endsAt: (moment) => `Ab ${moment} lehnen die Proxys ihn ab.`,
	endsNow:
		'Diese Zeit ist vorbei: Die Proxys lehnen den Unterbenutzer sofort ab und trennen seine Verbindungen. So ist es gemeint.',
	problem(found) {
		return found.problem === 'address'
			? `Zeile ${found.line} ist keine Adresse und kein Netz.`
			: this.problems[found.problem];
	},
	problems: {
		bytes: `Geben Sie GB ein, zum Beispiel ${numberText(2.5)}: mindestens ${numberText(0.000000001)}, höchstens ${numberText(MOST_GB)}.`,
		connections: `Geben Sie eine ganze Zahl von 1 bis ${numberText(MAX_CONNECTIONS)} ein.`,
		too_many_addresses: `Höchstens ${MAX_ALLOWED_IPS} Adressen und Netze sind möglich.`,
		date: 'Geben Sie einen Tag ein.',
		time: 'Geben Sie Stunden und Minuten ein, zum Beispiel 23:00.',
	},

	delete: 'Löschen',
	deleteSection: 'Diesen Unterbenutzer löschen',
	deleteLead: 'Sein Guthaben kommt zu Ihnen zurück. Sein Name kann nie wieder benutzt werden, auch nicht von Ihnen.',
	deleteTitle: (username) => `${username} für immer löschen?`,
	deleteIntro: (username) =>
		`${username} endet jetzt: Binnen Sekunden lehnen die Proxys diesen Unterbenutzer ab und trennen seine Verbindungen. Das kann nicht rückgängig gemacht werden, und niemand kann diesen Namen je wieder haben. Was war, bleibt im Kontoauszug.`,
	comesBack: (amount) =>
		`${amount} kommen auf Ihr Guthaben zurück, abzüglich dessen, was der Datenverkehr bis dahin kostet.`,
	nothingComesBack: 'Er hat kein Guthaben, also kommt nichts zurück.',
	typeName: (username) => `Geben Sie ${username} ein, um ihn zu löschen`,
	deleteNow: 'Für immer löschen',
	deleted: (username, amount) => `${username} wurde gelöscht. ${amount} kamen zu Ihnen zurück.`,
	wasDeleted: 'Dieser Unterbenutzer wurde gelöscht',
	deletedOn: 'Gelöscht',
	createdOn: 'Angelegt',
	deletedLead:
		'Sein Name kann nie wieder benutzt werden. Sein Datenverkehr und seine Umsätze können hier weiter gelesen werden.',

	menu: (username) => `Was mit ${username} zu tun ist`,
	openPage: 'Seite öffnen',
	give: 'Geben …',
	take: 'Zurückholen …',
	suspendMenu: 'Aussetzen …',
	resumeMenu: 'Freigeben …',
	limitsMenu: 'Grenzen setzen …',
	noteMenu: 'Notiz ändern …',
	deleteMenu: 'Löschen …',

	done: {
		suspend: (username) => `${username} ist ausgesetzt.`,
		resume: (username) => `${username} ist wieder freigegeben.`,
		limits: (username) => `Die Grenzen von ${username} sind gesetzt.`,
		note: (username) => `Die Notiz zu ${username} ist gespeichert.`,
	},
};
