import { numberText } from '../../format/number.ts';
import type { homeTexts as english } from './texts.ts';

export const homeTexts: typeof english = {
	lead: 'Der Dienst auf einen Blick. Beträge und Datenverkehr sind höchstens fünf Minuten alt.',

	service: 'Dienst',
	edges: 'Edges',
	toEdges: 'Alle Edges ansehen',
	noEdges: 'Noch keine Edge ist beigetreten.',
	allHeard: (edges) =>
		edges === 1
			? 'Die einzige Edge hat sich in den letzten zehn Minuten gemeldet.'
			: `Alle ${numberText(edges)} haben sich in den letzten zehn Minuten gemeldet.`,
	silent: (silent, edges) =>
		`${numberText(silent)} von ${numberText(edges)} ${silent === 1 ? 'schweigt' : 'schweigen'}.`,
	moreSilent: (edges) => `und ${numberText(edges)} weitere`,

	reports: 'Abgelehnte Meldungen',
	toReports: 'Gründe ansehen',
	noneRefused: 'Keine in den letzten 30 Tagen.',
	refused: (today, usual) => `${numberText(today)} heute, üblich sind ${usual} am Tag.`,
	refusedGrow: (today, usual) =>
		`Es werden mehr: ${numberText(today)} heute und nur ${usual} am Tag in der Woche davor.`,
	refusedTrend: (total) => `Abgelehnte Meldungen an jedem der letzten 30 Tage: ${numberText(total)} zusammen.`,

	ledger: 'Hauptbuch',
	toLedger: 'Prüfen',
	problems: (problems) =>
		problems === 1
			? 'Die letzte Prüfung hat einen Fehler gefunden.'
			: `Die letzte Prüfung hat ${numberText(problems)} Fehler gefunden.`,
	ledgerStates: {
		running: 'Eine Prüfung läuft.',
		never: 'Es wurde noch nie geprüft.',
		unfinished: 'Die letzte Prüfung konnte nicht beendet werden.',
		old: 'Es wurde seit zwei Tagen nicht geprüft.',
		right: 'Die letzte Prüfung hat keine Fehler gefunden.',
	},
	verified: 'Geprüft',

	backup: 'Sicherung',
	backupStates: {
		elsewhere: 'Die Werkzeuge von PostgreSQL machen sie. Bursar sieht sie nicht.',
		never: 'Es gab noch keine.',
		old: 'Die letzte ist mehr als einen Tag alt.',
		right: 'Die letzte ist weniger als einen Tag alt.',
	},
	made: 'Erstellt',
	backupBy: 'Auf der Maschine des Dienstes erstellt sie',

	held: 'Geld der Reseller',
	heldNote: 'Die Guthaben aller Konten zusammen.',
	toResellers: 'Reseller',
	heldTrend: (from, first, last) =>
		`Geld der Reseller am Ende jedes Tages seit ${from}: damals ${first}, jetzt ${last}.`,
	income: 'Einnahmen in diesem Monat',
	toIncome: 'Nach Resellern',
	incomeTrend: (from, most) => `Einnahmen jedes Tages seit ${from}: höchstens ${most}.`,
	topUps: 'Aufladungen in diesem Monat',
	toTopUps: 'Aufladen',
	topUpsTrend: (from, most) => `Aufladungen jedes Tages seit ${from}: höchstens ${most}.`,
	sameDays: (before) => `${before} an denselben Tagen des letzten Monats.`,
	change: (before, percent) => `${before} an denselben Tagen des letzten Monats (${percent}).`,
	incomeParts: (bandwidth, fees) => `${bandwidth} für Datenverkehr, ${fees} Gebühren.`,
	takenBack: (amount) => `${amount} wurden zurückgeholt.`,

	network: 'Datenverkehr in 30 Tagen',
	toNetwork: 'Datenverkehr ansehen',
	networkNote: 'Von allen Resellern zusammen.',
	networkChange: (before, percent) => `${before} in den 30 Tagen davor, ohne heute (${percent}).`,
	networkTrend: (from, most) => `Datenverkehr an jedem Tag seit ${from}: höchstens ${most}.`,
	byEdge: 'Datenverkehr nach Edge',
	noEdgeReported: 'Keine Edge hat in den letzten 30 Tagen Datenverkehr gemeldet.',
	edge: 'Edge',
	trend: 'Nach Tagen',
	carried: 'In 30 Tagen',
	edgeTrend: (edge, from, most) => `Datenverkehr von ${edge} an jedem Tag seit ${from}: höchstens ${most}.`,

	low: 'Reseller mit wenig Guthaben',
	lowLead: 'Die mit dem teuersten Datenverkehr stehen zuerst. Ausgesetzte fehlen hier.',
	noneLow: 'Jeder Reseller hat genug.',
	more: (count) => `Und ${numberText(count)} weitere.`,
	reseller: 'Reseller',
	balance: 'Sein Guthaben',
	allBalances: 'Mit Unterbenutzern',
	lasts: 'Reicht etwa',
	why: 'Warum',
	reasons: {
		out: 'Sein Guthaben ist aufgebraucht',
		below: 'Unter seiner Warnung',
		short: 'Alles zusammen reicht weniger als eine Woche',
	},
	exhausted: 'Unterbenutzer ohne Guthaben',
	exhaustedLead: 'Die Proxys lehnen sie ab, weil ihr Datenverkehr berechnet wird. Ihr Reseller gibt ihnen mehr.',
	noneExhausted: 'Kein Unterbenutzer, dessen Datenverkehr berechnet wird, hat sein Guthaben aufgebraucht.',
	exhaustedCount: 'Unterbenutzer',
	today: 'heute',
	asOf: 'Stand:',
};
