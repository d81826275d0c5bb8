import { CREATE_FEE_CENTS, MAX_NOTE_CHARACTERS } from '@bursar/contract/limits';
import { moneyText, typedMoney } from '../../format/money.ts';
import { numberText } from '../../format/number.ts';
import type { subUserTexts as english } from './texts.ts';

const FEE = moneyText(CREATE_FEE_CENTS);

export const subUserTexts: typeof english = {
	lead: 'Jeder meldet sich mit einem eigenen Schlüssel am Proxy an.',
	listUnmetered:
		'Guthaben sind, was Sie geben und zurückholen: Sie begrenzen den Datenverkehr nicht, und er wird nicht berechnet.',
	listMetered: (price) =>
		`Guthaben bezahlen den Datenverkehr mit ${price} je GB. Wer nichts mehr hat, wird von den Proxys abgelehnt.`,
	low: 'Weniger als 1 GB',
	count: (count) => (count === 1 ? '1 Unterbenutzer' : `${numberText(count)} Unterbenutzer`),
	found: (count) => `${numberText(count)} gefunden`,
	range: (first, last) => `${numberText(first)}–${numberText(last)} von `,
	csv: 'Alle als CSV herunterladen',
	label: 'Unterbenutzer',
	name: 'Name',
	balance: 'Guthaben',
	bandwidth: 'Datenverkehr, 30 Tage',
	created: 'Angelegt',
	search: 'Nach Namen suchen',
	match: 'Wo im Namen gesucht wird',
	matches: { beginning: 'Beginnt mit', anywhere: 'Enthält' },
	orders: {
		name: 'Name, von A bis Z',
		'-name': 'Name, von Z bis A',
		'-balance': 'Größtes Guthaben zuerst',
		balance: 'Kleinstes Guthaben zuerst',
		'-created': 'Neueste zuerst',
		created: 'Älteste zuerst',
		'-bandwidth': 'Meister Datenverkehr zuerst',
		bandwidth: 'Geringster Datenverkehr zuerst',
	},
	noneYet: 'Sie haben noch keine Unterbenutzer. Legen Sie oben den ersten an.',
	noneFound: (search, match) =>
		match === 'beginning' ? `Kein Name beginnt mit „${search}“.` : `Kein Name enthält „${search}“.`,
	noneInState: 'Kein Unterbenutzer passt zur Suche und zum Zustand.',
	stateFilter: 'Zustand',
	anyState: 'Jeder Zustand',
	acts: 'Aktionen',
	many: 'Viele auf einmal',
	select: (username) => `${username} auswählen`,
	selectAll: 'Alle auf dieser Seite auswählen',
	selection: 'Die ausgewählten Unterbenutzer',
	selected: (count) => `${numberText(count)} ausgewählt`,
	selectionActs: { suspend: 'Aussetzen …', resume: 'Freigeben …', give: 'Geben …', limits: 'Grenzen setzen …' },
	clearSelection: 'Auswahl aufheben',
	searchAnywhere: 'Überall in den Namen suchen',
	showAll: 'Alle Unterbenutzer zeigen',

	create: 'Unterbenutzer anlegen',
	createNow: `Für ${FEE} anlegen`,
	username: 'Name',
	fee: `Das Anlegen kostet Sie ${FEE} von Ihrem Guthaben, auch wenn der Name vergeben ist.`,
	deleted: {
		happened: 'Sie hatten einen Unterbenutzer mit diesem Namen und haben ihn gelöscht. Nichts wurde berechnet.',
		todo: 'Ein Name wird nie ein zweites Mal vergeben. Wählen Sie einen anderen.',
	},
	taken: {
		happened: `Dieser Name ist vergeben, und ${FEE} wurden berechnet.`,
		todo: `Wählen Sie einen anderen Namen. Jeder Versuch kostet ${FEE}.`,
	},
	maybeFree: 'Ob ein anderer Reseller ihn hat, zeigt sich erst beim Anlegen.',
	own: {
		happened: 'Sie haben schon einen Unterbenutzer mit diesem Namen. Nichts wurde berechnet.',
		todo: 'Suchen Sie ihn in der Liste, oder wählen Sie einen anderen Namen.',
	},
	tooPoor: {
		happened: `Ihr Guthaben liegt unter ${FEE}, und nichts wurde getan.`,
		todo: 'Bitten Sie den Betreiber dieses Dienstes um eine Aufladung, oder holen Sie Guthaben von einem Unterbenutzer zurück.',
	},
	createdTitle: (username) => `${username} wurde angelegt`,
	createdIntro: 'Damit melden sich seine Programme am Proxy an. Sie können es später wieder ansehen.',
	openPage: 'Seite öffnen',
	createAnother: 'Noch einen anlegen',
	done: 'Fertig',

	reading: 'Es wird gerade nachgesehen …',
	repeatedCreate: (username, created) =>
		`Sie haben einen Unterbenutzer ${username}, angelegt am ${created}. Wenn das eben war, ist es der, den Sie wollten. Er wurde nicht zweimal berechnet.`,
	repeatedTaken: (username) =>
		`${username} wurde nicht angelegt: Der Name war vergeben. ${FEE} wurden einmal berechnet.`,
	repeatedMovement: (username, balance, resellerBalance) =>
		`Es war schon getan und wurde nicht noch einmal getan. Jetzt hat ${username} ${balance}, und Sie haben ${resellerBalance}.`,
	repeatedReset:
		'Der Schlüssel wurde ersetzt. Der neue stand in der Antwort, die verloren ging. Sie können ihn auf dieser Seite anzeigen.',

	all: 'Alle Unterbenutzer',
	createdOn: 'Angelegt am',
	moveTitle: (direction, username) =>
		direction === 'give' ? `${username} Guthaben geben` : `Guthaben von ${username} zurückholen`,
	give: 'Geben',
	take: 'Zurückholen',
	moveNow: (direction, amount) => (direction === 'give' ? `${amount} geben` : `${amount} zurückholen`),
	amount: 'Betrag in US-Dollar',
	moveNote: 'Notiz (freiwillig)',
	moveNoteHint: 'Steht in der Liste der Umsätze.',
	moveNoteTooLong: `Höchstens ${MAX_NOTE_CHARACTERS} Zeichen.`,
	amountHint: `Dollar und Cent, zum Beispiel ${typedMoney(1230)}.`,
	amountProblems: {
		unreadable: `Geben Sie Dollar und Cent ein, zum Beispiel ${typedMoney(1230)}.`,
		zero: `Der kleinste Betrag ist ${moneyText(1)}.`,
		too_much: 'So viel ist nicht da.',
		too_large: 'So groß kann kein Guthaben sein.',
	},
	youHave: (amount) => `Sie haben nur ${amount}.`,
	subUserHas: (username, amount) => `${username} hat nur ${amount}.`,
	takeAll: 'Alles zurückholen',
	afterwards: 'Beide Guthaben',
	account: 'Konto',
	now: 'Jetzt',
	after: 'Danach',
	balanceLead: 'Das Guthaben begrenzt den Datenverkehr nicht, und er wird ihm nicht berechnet.',
	balancePays: (price) => `Das Guthaben bezahlt den Datenverkehr mit ${price} je GB.`,
	leftFor: (bytes) => `Das reicht noch für etwa ${bytes}.`,
	nothingLeft: 'Für Datenverkehr ist nichts übrig.',
	you: 'Sie',
	moved: (direction, amount, username) =>
		direction === 'give'
			? `Sie haben ${username} ${amount} gegeben.`
			: `Sie haben ${amount} von ${username} zurückgeholt.`,

	key: 'Proxy-Schlüssel',
	keyLead: 'Mit seinem Namen und diesem Schlüssel meldet sich der Unterbenutzer am Proxy an.',
	showKey: 'Schlüssel anzeigen',
	showIsRecorded: 'Er ist verborgen. Das Anzeigen wird aufgezeichnet.',
	hideKey: 'Schlüssel verbergen',
	keyForm: 'Schlüssel',
	userAndKeyForm: 'Name und Schlüssel',
	proxyUrlForm: 'Proxy-URL',
	noProxyHost: 'Der Betreiber dieses Dienstes hat nicht angegeben, wo der Proxy ist. Deshalb gibt es keine Proxy-URL.',
	connect: 'Ein Programm damit verbinden',
	resetKey: 'Schlüssel ersetzen',
	resetTitle: 'Proxy-Schlüssel ersetzen?',
	reset: (username) =>
		`${username} erhält einen neuen Schlüssel. Der bisherige gilt nach wenigen Sekunden nicht mehr, und alles, was ihn benutzt, wird abgelehnt, bis es den neuen hat.`,
	resetNow: 'Ersetzen',
	newKeyTitle: 'Der neue Proxy-Schlüssel',
	newKeyIntro:
		'Der bisherige Schlüssel gilt nach wenigen Sekunden nicht mehr. Setzen Sie diesen dafür ein. Sie können ihn später wieder ansehen.',

	movements: 'Umsätze',
	movementsLead: 'Was er bekommen hat, was von ihm zurückgeholt wurde und was er für seinen Datenverkehr bezahlt hat.',
	noMovements: 'Ihm wurde noch nichts gegeben, und von ihm wurde noch nichts zurückgeholt.',
	toStatement: 'Alle seine Umsätze ansehen',
};
