import { numberText } from '../../format/number.ts';
import type { usageTexts as english } from './texts.ts';

const IMPORT_AGAIN = 'Importieren Sie dann die korrigierten Zeilen noch einmal.';

export const usageTexts: typeof english = {
	lead: 'Was aus den Meldungen über Datenverkehr wurde, die in den letzten 90 UTC-Tagen ankamen.',
	none: 'In den letzten 90 Tagen kamen keine Meldungen an. Sie kommen von Edges oder mit „bursar usage import“.',

	refused: 'Abgelehnt, nach Grund',
	refusedLead: 'Diese Meldungen wurden nicht gezählt. Alle anderen, die mit ihnen ankamen, wurden gezählt.',
	nothingRefused: 'In den letzten 90 Tagen wurde keine Meldung abgelehnt.',
	times: (count) => `${numberText(count)} ${count === 1 ? 'Meldung' : 'Meldungen'}`,
	lastRefused: 'Zuletzt abgelehnt',
	lastRefusedLead:
		'Meldungen mit derselben Quelle, demselben Konto und demselben Grund stehen in einer Zeile, mit dem Inhalt der letzten.',
	arrived: 'Angekommen',
	source: 'Quelle',
	imported: (source) => `${source} (Import)`,
	account: 'Konto',
	of: 'von',
	reason: 'Grund',
	usedAt: 'Datiert',
	bytes: 'Bytes',
	unread: 'nicht lesbar',
	correctionsLead: 'Tage, die Betreiber hier oder mit „bursar usage correct“ korrigiert haben, die letzten 50.',
	reseller: 'Reseller',
	reference: 'Referenz',
	by: 'Von',
	days: 'Nach Tagen',
	daysLabel: 'Meldungen nach dem Tag, an dem sie ankamen',
	day: 'Tag (UTC)',
	counted: 'Gezählt',
	repeated: 'Wiederholt',
	refusedCount: 'Abgelehnt',
	repeatedHint:
		'Eine Wiederholung wurde schon gezählt und fügt nichts hinzu. Sie ist normal, wenn ein Import unterbrochen wurde oder eine Edge eine Meldung noch einmal sendet.',

	unknownReason: {
		means: 'Diese Seite kennt diesen Grund nicht.',
		todo: 'Schlagen Sie ihn im Betriebshandbuch der laufenden Version nach.',
	},
	reasons: {
		not_json: {
			means: `Die Zeile ist kein einzelnes JSON-Objekt oder länger als ${numberText(65_536)} Zeichen.`,
			todo: 'Sehen Sie sich die Zeile an, die „bursar usage import“ genannt hat. Das Programm, das die Meldungen schreibt, muss in jede Zeile ein Objekt schreiben.',
		},
		invalid_report: {
			means: 'Der Meldung fehlt eines ihrer Felder, oder ein Name darin ist zu lang.',
			todo: 'Korrigieren Sie das Programm, das die Meldungen schreibt: Ein Import braucht in jeder Zeile source, id, username, timestamp, up und down, eine Edge counter, username, up, down und at.',
		},
		invalid_timestamp: {
			means: 'Die Zeit ist nicht in ISO 8601 mit Zeitzone.',
			todo: `Lassen Sie das Programm Zeiten wie 2026-11-21T10:00:00Z schreiben. ${IMPORT_AGAIN}`,
		},
		invalid_counter: {
			means: 'Die Bytes sind keine ganze Zahl ab 0.',
			todo: `Korrigieren Sie das Programm, das die Meldungen schreibt. ${IMPORT_AGAIN}`,
		},
		unknown_username: {
			means: 'Kein Konto hat diesen Namen.',
			todo: 'Prüfen Sie, ob der Proxy die Namen dieser Plattform benutzt. War der Name falsch, korrigieren Sie die Zeile und importieren Sie sie noch einmal.',
		},
		timestamp_ahead: {
			means: 'Die Meldung ist mehr als 5 Minuten in die Zukunft datiert.',
			todo: 'Stellen Sie die Uhr der Maschine, die sie geschrieben hat. Importieren Sie die Datei dann noch einmal: Meldungen, die nicht mehr in der Zukunft liegen, zählen. „bursar-edge“ sendet solche Meldungen von selbst noch einmal.',
		},
		timestamp_too_old: {
			means:
				'Die Meldung ist vor heute und die 120 Tage davor datiert (UTC). Nur so lange werden Wiederholungen erkannt.',
			todo: 'Sie kann nicht mehr gezählt werden. Importieren Sie Meldungen täglich, und prüfen Sie die Uhren der Proxys.',
		},
		counter_overflow: {
			means: 'Mit ihr wäre die Summe eines Tages größer als jeder Zähler.',
			todo: 'Die Bytes darin sind sehr wahrscheinlich falsch. Korrigieren Sie das Programm, das die Meldungen schreibt.',
		},
		too_fast: {
			means:
				'Eine Edge hat mehr Bytes gemeldet, als sie seit ihrer letzten Meldung mit der höchsten eingestellten Rate (BURSAR_EDGE_MAX_GBPS) übertragen haben kann.',
			todo: 'War die Edge weg, zählen die Bytes etwas später von selbst. Sonst sind ihre Zähler falsch, oder jemand hat ihren Schlüssel: Widerrufen Sie den Schlüssel, und korrigieren Sie Tage mit „bursar usage correct“.',
		},
		conflict: {
			means:
				'Eine Meldung mit derselben Quelle und id, aber anderem Inhalt, wurde schon gezählt. Oder ein Zähler einer Edge gehört zu einem anderen Konto.',
			todo: 'Jede Meldung braucht eine eigene id und jeder Zähler ein Konto. Sehen Sie nach, ob ein Proxy seine ids nach einem Neustart wieder von vorn beginnt.',
		},
	},
};
