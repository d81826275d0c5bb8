import { moneyText, typedMoney } from '../../format/money.ts';
import type { resellerTexts as english } from './texts.ts';

export const resellerTexts: typeof english = {
	lead: 'Jeder hat ein Konto, ein Token für die API und Personen, die sich hier anmelden.',
	label: 'Reseller',
	search: 'Nach dem Anfang des Namens suchen',
	name: 'Reseller',
	balance: 'Guthaben',
	price: 'Preis je GB',
	notMetered: 'Nicht berechnet',
	suspended: 'Ausgesetzt',
	owes: (debt) => `Schuldet ${debt}`,
	created: 'Angelegt',
	last_used: 'API zuletzt benutzt',
	orders: {
		name: 'Name, von A bis Z',
		'-name': 'Name, von Z bis A',
		'-balance': 'Größtes Guthaben zuerst',
		balance: 'Kleinstes Guthaben zuerst',
		'-last_used': 'Zuletzt benutzte zuerst',
		last_used: 'Nie oder vor langem benutzte zuerst',
		'-created': 'Neueste zuerst',
		created: 'Älteste zuerst',
	},
	never: 'Nie',
	none: 'Es gibt noch keine Reseller. Legen Sie den ersten an.',
	nothingFound: 'Kein Reseller hat einen Namen, der so beginnt.',

	create: 'Reseller anlegen',
	createIntro: 'Der Reseller erhält ein Konto und ein Token für die API. Danach können Sie seine Personen einladen.',
	username: 'Name',
	openingBalance: 'Anfangsguthaben in US-Dollar',
	openingHint: 'Freiwillig. Um eine Zahlung mit einer Referenz einzutragen, laden Sie danach auf.',
	createNow: 'Anlegen',
	createdTitle: (reseller) => `Das Token von ${reseller}`,
	createdIntro: (reseller) =>
		`${reseller} wurde angelegt. Das ist das Token für die API. Es wird nur jetzt angezeigt: Geben Sie es so weiter, dass niemand sonst es lesen kann.`,
	createdLost: (reseller) =>
		`${reseller} wurde angelegt, aber das Token stand in der Antwort, die verloren ging, und kann nicht noch einmal angezeigt werden. Öffnen Sie die Seite von ${reseller}, und beenden Sie alle Token: Dann erhalten Sie ein neues.`,

	all: 'Alle Reseller',

	subUsers: 'Unterbenutzer',
	subUsersLead:
		'Ihre Guthaben, Zustände, Grenzen und ihr Datenverkehr. Nur der Reseller ändert sie und sieht ihre Schlüssel.',
	showSubUsers: 'Unterbenutzer ansehen',

	tokens: 'Token',
	tail: 'Endet auf',
	made: 'Erstellt',
	madeBy: 'Erstellt von',
	operator: 'dem Betreiber',
	tokenLastUsed: 'Zuletzt benutzt',
	previousTitle: (tail) => `Das bisherige Token, das auf ${tail} endet, läuft aus`,
	previousUntil: (moment) => `Es gilt bis ${moment}.`,
	previousEnded: (moment) => `Es endete am ${moment}.`,
	endTokens: 'Alle Token beenden',
	endTokensTitle: (reseller) => `Alle Token von ${reseller} beenden?`,
	endTokensBreaks: (reseller) => `Danach scheitert jedes Programm, mit dem ${reseller} die API aufruft:`,
	endTokensEffects: [
		'Alle Token werden sofort abgelehnt, in jedem Prozess binnen 30 Sekunden.',
		'Seine Programme erhalten „unauthorized“, bis sie das neue Token haben, das Sie nur einmal sehen.',
		'Sein Guthaben, seine Personen, seine Unterbenutzer und deren Proxy-Schlüssel bleiben, wie sie sind.',
	],
	endedIntro: (reseller) =>
		`Alle früheren Token von ${reseller} sind beendet. Das ist das neue. Es wird nur jetzt angezeigt: Geben Sie es so weiter, dass niemand sonst es lesen kann.`,
	endedLost:
		'Die Token sind beendet, aber das neue stand in der Antwort, die verloren ging, und kann nicht noch einmal angezeigt werden. Schließen Sie dies, und beenden Sie noch einmal alle Token: Dann erhalten Sie ein neues.',
	newToken: 'Neues Token',

	payTitles: {
		'/operator/top-up': (reseller) => `${reseller} aufladen`,
		'/operator/adjust': (reseller) => `Geld von ${reseller} zurückholen`,
	},
	payIntros: {
		'/operator/top-up': 'Fügt dem Guthaben des Resellers eine Zahlung hinzu.',
		'/operator/adjust': 'Holt Geld zurück, zum Beispiel weil eine Zahlung falsch war.',
	},
	payTexts: { '/operator/top-up': 'Aufladen', '/operator/adjust': 'Zurückholen' },
	payNow: {
		'/operator/top-up': (cents) => `${moneyText(cents)} aufladen`,
		'/operator/adjust': (cents) => `${moneyText(cents)} zurückholen`,
	},
	amount: 'Betrag in US-Dollar',
	amountHint: `Dollar und Cent, zum Beispiel ${typedMoney(1230)}.`,
	amountProblems: {
		invalid_amount: `Geben Sie Dollar und Cent ein, zum Beispiel ${typedMoney(1230)}.`,
		zero: `Der kleinste Betrag ist ${moneyText(1)}.`,
		too_large: 'So groß kann kein Guthaben sein.',
	},
	tooMuch: (balance) => `Das Guthaben ist nur ${moneyText(balance)}.`,
	reference: 'Referenz',
	referenceHint:
		'Ihr eigener Name für diese Zahlung, zum Beispiel die Nummer einer Rechnung. Jede Referenz zählt auf der Plattform einmal.',
	reason: 'Grund',
	reasonHints: {
		'/operator/top-up': 'Freiwillig. Der Reseller kann ihn lesen.',
		'/operator/adjust': 'Der Reseller liest, warum das Geld zurückgeholt wird.',
	},
	again: 'Derselbe Betrag noch einmal',
	againHint: (bound) => `Ein Betrag über ${bound} wird zweimal eingegeben.`,
	againFarOff: (bound) =>
		`Ein Betrag über ${bound} wird zweimal eingegeben: Er ist mehr als das Zehnfache der bisher größten Aufladung dieses Resellers.`,
	againDiffers: 'Die beiden Beträge sind verschieden.',
	balanceNow: 'Guthaben jetzt',
	balanceAfter: 'Guthaben danach',
	payLost:
		'Es kam keine Antwort, also ist nicht bekannt, ob die Zahlung gezählt wurde. Versuchen Sie es noch einmal: Dieselbe Referenz zählt nie zweimal, und Sie erfahren dann, was daraus wurde.',
	paid: (balance) => `Erledigt. Das Guthaben ist jetzt ${moneyText(balance)}.`,
	paidBefore: (reference, balance) =>
		`Eine Zahlung mit der Referenz ${reference} und diesem Betrag wurde schon gezählt. Jetzt wurde nichts bewegt. Das Guthaben ist ${moneyText(balance)}.`,
	paidOnce: 'Die Zahlung wurde einmal gezählt. Nichts wurde zweimal gezählt.',

	statementLead: (zone) => `Alle Umsätze, die neuesten zuerst. Alle Zeiten sind in ${zone}.`,
};
