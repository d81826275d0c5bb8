import type { BulkProblemCode } from '@bursar/contract/bulk';
import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import { MOST_AT_ONCE } from '../../acts/act.ts';
import { moneyText } from '../../format/money.ts';
import { numberText } from '../../format/number.ts';
import type { manyTexts as english } from './texts.ts';

const FEE = moneyText(CREATE_FEE_CENTS);
const MOST = numberText(MOST_AT_ONCE);

export const manyTexts: typeof english = {
	title: 'Viele auf einmal',
	lead: 'Jede Zeile ist ein eigener Vorgang. Was aus jeder wurde, steht bei jeder.',
	operation: 'Was zu tun ist',
	operations: {
		create: {
			name: 'Anlegen',
			start: (count, cents) => `${subUsersText(count)} für ${moneyText(cents)} anlegen`,
		},
		give: { name: 'Geben', start: (count, cents) => `${moneyText(cents)} in ${transfersText(count)} geben` },
		take: {
			name: 'Zurückholen',
			start: (count, cents) => `${moneyText(cents)} in ${transfersText(count)} zurückholen`,
		},
		suspend: { name: 'Aussetzen', start: (count) => `${subUsersText(count)} aussetzen` },
		resume: { name: 'Freigeben', start: (count) => `${subUsersText(count)} freigeben` },
		limits: {
			name: 'Grenzen setzen',
			start: (count) => `Grenzen von ${count === 1 ? '1 Unterbenutzer' : `${numberText(count)} Unterbenutzern`} setzen`,
		},
	},
	hints: {
		create: `Jeder Name kostet ${FEE}, auch wenn er vergeben ist. Am Ende können Sie ihre Schlüssel einmal als Datei herunterladen. Später sehen Sie jeden Schlüssel auf der Seite seines Unterbenutzers.`,
		give: 'Jede Zeile überträgt ihren Betrag von Ihrem Guthaben.',
		take: 'Jede Zeile überträgt ihren Betrag auf Ihr Guthaben.',
		suspend: 'Binnen Sekunden lehnen die Proxys sie ab. Ihre Guthaben bleiben.',
		resume: 'Binnen Sekunden nehmen die Proxys sie wieder an, soweit Guthaben und Grenzen reichen.',
		limits: 'Alle erhalten dieselben Grenzen. Was Sie nicht auswählen, bleibt, wie es ist.',
	},

	file: 'Datei',
	fileHint: (hasAmounts) =>
		`CSV oder Text: ${hasAmounts ? 'ein Name und ein Betrag in US-Dollar, wie alice,5.00,' : 'ein Name'} je Zeile, auch unter einer Kopfzeile, wie für bursarctl. Höchstens ${MOST} Zeilen und 1 MB. Nichts wird gesendet, bevor die ganze Datei geprüft ist.`,
	selected: (count) => `${subUsersText(count)} in der Liste ausgewählt`,
	fileInstead: 'Stattdessen eine Datei nehmen',
	tooLarge: 'Diese Datei ist größer als 1 MB. Teilen Sie sie, oder benutzen Sie bursarctl.',
	tooMany: `Diese Datei hat mehr als ${MOST} Zeilen. Teilen Sie sie, oder benutzen Sie bursarctl.`,
	notText: 'Diese Datei ist kein Text in UTF-8. Speichern Sie sie als CSV in UTF-8.',
	unreadable: 'Der Browser konnte diese Datei nicht lesen. Wählen Sie sie noch einmal.',
	noLines: 'Diese Datei hat keine Zeilen, mit denen etwas zu tun ist.',
	badLines: (count) =>
		count === 1
			? '1 Zeile ist falsch, und nichts wurde gesendet'
			: `${numberText(count)} Zeilen sind falsch, und nichts wurde gesendet`,
	badLine: ({ line, code, firstLine }) => `Zeile ${line}: ${problemText(code, firstLine)}.`,
	moreBadLines: (count) => `Und ${numberText(count)} weitere.`,
	mend: 'Korrigieren Sie die Datei, und wählen Sie sie noch einmal.',
	heading: (line) => `Zeile ${line} ist eine Kopfzeile und wird übersprungen.`,

	amountEach: 'Betrag für jeden, in US-Dollar',
	whichLimits: 'Welche Grenzen',
	lines: 'Zeilen',
	line: 'Zeile',
	name: 'Name',
	amount: 'Betrag',
	outcome: 'Ergebnis',
	total: 'Insgesamt',
	yourBalance: 'Ihr Guthaben',
	afterwards: 'Danach',
	tooPoor: 'Ihr Guthaben reicht nicht für alle Zeilen.',
	dangerous: 'Prüfen Sie die Zeilen, bevor Sie beginnen.',

	running: (done, all) => `${numberText(done)} von ${numberText(all)} Zeilen sind beendet.`,
	stop: 'Anhalten',
	goOn: (count) => (count === 1 ? 'Mit 1 Zeile weitermachen' : `Mit ${numberText(count)} Zeilen weitermachen`),
	goOnHint: 'Nichts wird zweimal getan: Jede Zeile behält die Kennung ihres Vorgangs.',
	newRun: 'Neu beginnen',
	selectionWaits:
		'Dies ist ein früherer Durchlauf. Was Sie jetzt ausgewählt haben, wartet, bis er beendet ist oder Sie neu beginnen.',
	drop: 'Rest verwerfen',
	dropHint: 'Zeilen, deren Ergebnis nicht bekannt ist, sind vielleicht getan: Sehen Sie bei ihren Unterbenutzern nach.',
	keep: 'Behalten',
	allDone: 'Alle Zeilen sind erledigt.',
	ended: 'Alle Zeilen sind beendet.',
	interrupted: 'Dieser Durchlauf wurde unterbrochen.',
	notKept:
		'Dieser Browser bewahrt den Durchlauf nicht auf: Wenn Sie diese Seite neu laden oder verlassen, kann er nicht fortgesetzt werden.',
	leaving:
		'Wenn Sie diese Seite verlassen, hält der Durchlauf an. Er kann hier fortgesetzt werden, solange dieser Tab offen ist.',
	toList: 'Alle Unterbenutzer',
	outcomes: {
		open: 'Noch nicht erledigt',
		unknown: 'Nicht bekannt: Machen Sie weiter, dann erfahren Sie es',
		done: 'Erledigt',
		refused: 'Abgelehnt',
	},
	counts: {
		open: (count) => `${count} noch nicht erledigt`,
		unknown: (count) => `${count} nicht bekannt`,
		done: (count) => `${count} erledigt`,
		refused: (count) => `${count} abgelehnt`,
	},
	stopped: {
		asked: 'Sie haben ihn angehalten.',
		away: 'Er wurde angehalten, weil der Dienst nicht antwortet.',
	},
	stoppedBecause: (why) => `Er wurde angehalten: ${why}`,
	csv: 'Ergebnisse als CSV herunterladen',
	keysFile: (count) =>
		count === 1
			? 'Schlüssel von 1 Unterbenutzer als CSV herunterladen'
			: `Schlüssel von ${numberText(count)} Unterbenutzern als CSV herunterladen`,
	keysOnce:
		'Sie können diese Datei einmal herunterladen, bis Sie diese Seite verlassen oder neu laden. Das wird aufgezeichnet. Wer die Datei hat, kann Ihr Guthaben verbrauchen: Halten Sie sie geheim.',
	keysTold:
		'Die Schlüssel wurden als Datei gespeichert. Sie sehen jeden Schlüssel auf der Seite seines Unterbenutzers.',
	keysMissing: (count) =>
		count === 1
			? '1 Unterbenutzer fehlt, weil er inzwischen gelöscht wurde.'
			: `${numberText(count)} Unterbenutzer fehlen, weil sie inzwischen gelöscht wurden.`,
	show: 'Anzeigen',
	showAll: 'Alle Zeilen',
	showNotDone: 'Zeilen, die nicht erledigt sind',
	onlyDone: 'Alle Zeilen, die hier fehlen, sind erledigt.',
};

function subUsersText(count: number): string {
	return `${numberText(count)} Unterbenutzer`;
}

function transfersText(count: number): string {
	return count === 1 ? '1 Übertragung' : `${numberText(count)} Übertragungen`;
}

const PROBLEMS: Readonly<Record<Exclude<BulkProblemCode, 'same_username'>, string>> = {
	too_long: 'Sie ist zu lang',
	bad_quote: 'Ein Anführungszeichen ist in dieser Zeile nicht geschlossen oder steht in einer Zelle',
	not_one_username: 'Sie muss aus einem Namen bestehen',
	not_username_and_amount: 'Sie muss die Form username,amount haben',
	invalid_username:
		'Das ist kein gültiger Name (4 bis 32 Buchstaben, Ziffern, Punkte und Unterstriche, am Anfang und am Ende ein Buchstabe oder eine Ziffer, keine zwei Punkte oder Unterstriche nebeneinander)',
	doubtful_amount:
		'Der Betrag kann Dollar oder Cent meinen. Schreiben Sie 5.00 für fünf Dollar oder 0.05 für fünf Cent, oder setzen Sie die Kopfzeile username,amount_usd oder username,amount_usd_cents über alle Zeilen',
	invalid_amount: 'Der Betrag muss in US-Dollar mit zwei Nachkommastellen dastehen, zum Beispiel 5.00, ab 0.01',
	invalid_usd: 'Der Betrag muss in US-Dollar mit höchstens zwei Nachkommastellen dastehen, ab 0.01',
	invalid_cents: 'Der Betrag muss eine ganze Zahl von Cent ab 1 sein',
	doubtful_heading:
		'Das sieht wie eine Kopfzeile aus. Wenn es eine ist, schreiben Sie username; wenn nicht, setzen Sie die Kopfzeile username darüber',
};

function problemText(code: BulkProblemCode, firstLine = 0): string {
	return code === 'same_username' ? `Derselbe Name wie in Zeile ${firstLine}` : PROBLEMS[code];
}
