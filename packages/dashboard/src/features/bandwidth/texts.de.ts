import type { bandwidthTexts as english } from './texts.ts';

export const bandwidthTexts: typeof english = {
	title: 'Datenverkehr',
	leads: {
		day: 'Nach UTC-Tagen. Der heutige ist noch nicht vorbei.',
		hour: (zone) => `Nach Stunden, in der Zeitzone ${zone}.`,
	},
	range: 'Zeit',
	ranges: { '24h': '24 Stunden', '7d': '7 Tage', '30d': '30 Tage', '90d': '90 Tage', days: 'Tage …' },
	firstDay: 'Von (UTC)',
	lastDay: 'Bis (UTC)',
	notOffered: (first, last) => `Ein Tag von ${first} bis ${last}.`,
	unit: 'Balken',
	units: { day: 'Nach Tagen', hour: 'Nach Stunden' },
	division: 'Aufteilen',
	divisions: {
		none: 'Upload und Download',
		sub_user: 'Nach Unterbenutzern',
		edge: 'Nach Edges',
		reseller: 'Nach Resellern',
	},
	rest: { sub_user: 'Alle anderen', edge: 'Alle anderen und ohne Edge', reseller: 'Alle anderen' },
	compare: 'Mit der Zeit davor vergleichen',
	onlyEdge: (edge) => `Nur, was die Edge ${edge} gemeldet hat`,
	allEdges: 'Alles zeigen',
	showEdge: (edge) => `Nur die Edge ${edge} zeigen`,

	up: 'Upload',
	down: 'Download',
	total: 'Summe',
	before: 'Davor',
	compared: {
		whole: (change, now, before) => `${change} gegenüber derselben Zeit davor: erst ${before}, dann ${now}.`,
		day: (change, now, before) =>
			`${change} gegenüber derselben Zeit davor, beide ohne heute: erst ${before}, dann ${now}.`,
		hour: (change, now, before) =>
			`${change} gegenüber derselben Zeit davor, beide ohne die laufende Stunde: erst ${before}, dann ${now}.`,
	},
	nothingBefore: 'In derselben Zeit davor wurde nichts benutzt.',
	hoursSince: (moment) =>
		`Stunden und Edges sind ab ${moment} bekannt. Die Tage davor haben hier keine Stunden und keine Edges.`,
	asOf: 'Stand:',

	day: 'Tag (UTC)',
	hour: 'Stunde',
	charts: {
		day: 'Datenverkehr nach Tagen. Die Pfeiltasten bewegen zwischen den Tagen.',
		hour: 'Datenverkehr nach Stunden. Die Pfeiltasten bewegen zwischen den Stunden.',
	},
	spanValue: (span, figures) => `${span}: ${figures.join(', ')}`,
	figure: (name, value) => `${name} ${value}`,
	noData: 'In dieser Zeit wurde nichts benutzt.',
	showTable: 'Zahlen als Tabelle zeigen',
	hideTable: 'Tabelle verbergen',
	cost: 'Kosten',
	costByDay: 'Kosten nach Tagen, ohne Bruchteile eines Cents',
	costChart: 'Kosten nach Tagen. Die Pfeiltasten bewegen zwischen den Tagen.',
	tables: { day: 'Datenverkehr nach UTC-Tagen', hour: 'Datenverkehr nach Stunden' },
	csv: 'Als CSV herunterladen',

	corrections: 'Korrekturen',
	correctionsLead: 'Der Betreiber hat diese Tage korrigiert. Die Zahlen enthalten die Korrekturen schon.',
	correctionsLeadOfParts:
		'Der Betreiber hat diese Tage korrigiert. Zahlen von Stunden und von Edges enthalten die Korrekturen nicht.',
	correctedAt: 'Korrigiert',
	account: 'Konto',
	reason: 'Grund',

	topTitle: 'Die zehn größten Unterbenutzer',
	topLead: 'Nach dem Datenverkehr der Zeit, die oben gewählt ist.',
	noTop: 'In dieser Zeit hat kein Unterbenutzer etwas benutzt.',
	subUser: 'Unterbenutzer',

	networkTitle: 'Netz',
	networkLead: 'Was alle Konten aller Reseller benutzt haben. Höchstens 5 Minuten alt.',
};
