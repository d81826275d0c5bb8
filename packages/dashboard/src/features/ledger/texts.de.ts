import type { ledgerTexts as english } from './texts.ts';

const WHO_WRITES = 'Finden Sie heraus, wer direkt in die Datenbank schreibt.';

/** What the service calls its problems, in German. */
const PROBLEM_NAMES: Readonly<Record<string, string>> = {
	'the balance is not the sum of its ledger entries': 'Das Guthaben ist nicht die Summe seiner Umsätze',
	'a ledger entry does not lead from the balance before to the balance after':
		'Ein Umsatz führt nicht vom Guthaben davor zum Guthaben danach',
	'a ledger entry is of a kind that this version does not know': 'Diese Version kennt die Art eines Umsatzes nicht',
	'the balance is below zero': 'Das Guthaben liegt unter null',
	'the debt is not the sum of its ledger entries': 'Die Schuld ist nicht die Summe ihrer Umsätze',
	'the reseller owes something, and has a balance that could pay it':
		'Der Reseller schuldet etwas, und sein Guthaben könnte es bezahlen',
	'a ledger entry names an account that does not exist': 'Ein Umsatz nennt ein Konto, das es nicht gibt',
	'a deleted sub-user still has an account, or its name is free':
		'Ein gelöschter Unterbenutzer hat noch ein Konto, oder sein Name ist frei',
	'the account and the register of usernames do not agree':
		'Das Konto und das Verzeichnis der Namen stimmen nicht überein',
	'the money that came in is not the balances of the accounts of this reseller plus their fees':
		'Das eingegangene Geld ist nicht die Summe aus den Guthaben der Konten dieses Resellers und ihren Gebühren',
	'the cost of its bandwidth is not its bytes times the price':
		'Die Kosten des Datenverkehrs sind nicht die Bytes mal dem Preis',
	'the days of its bandwidth do not cost what its meters say':
		'Die Tage des Datenverkehrs kosten nicht, was die Zähler sagen',
	'the days of a reseller do not cost what those of its accounts do':
		'Die Tage eines Resellers kosten nicht, was die seiner Konten kosten',
	'what was settled of its bandwidth is not the sum of its charges':
		'Der gebuchte Datenverkehr ist nicht die Summe seiner Abrechnungen',
	'a charge of its bandwidth is not its bytes times the price': 'Eine Abrechnung ist nicht ihre Bytes mal dem Preis',
	'the ledger entries of its bandwidth are not what was charged':
		'Die Umsätze des Datenverkehrs sind nicht, was abgerechnet wurde',
	'no account has this name, but a price or a meter names it':
		'Kein Konto hat diesen Namen, aber ein Preis oder ein Zähler nennt ihn',
	'the person belongs to a reseller that does not exist': 'Die Person gehört zu einem Reseller, den es nicht gibt',
	'a payment has no ledger entry': 'Eine Zahlung hat keinen Umsatz',
	'no reseller has this name': 'Kein Reseller hat diesen Namen',
	'no person has this id': 'Keine Person hat diese Kennung',
};

export const ledgerTexts: typeof english = {
	lead: 'Eine Prüfung berechnet jedes Guthaben neu aus den Umsätzen, während der Dienst läuft. Starten Sie täglich eine und nach jeder Wiederherstellung.',
	last: 'Letzte Prüfung',
	none: 'Das Hauptbuch wurde noch nie geprüft.',
	fine: 'Es wurden keine Fehler gefunden.',
	problemsTitle: (problems) => (problems === 1 ? '1 Fehler wurde gefunden.' : `${problems} Fehler wurden gefunden.`),
	unfinishedTitle: 'Die letzte Prüfung konnte nicht beendet werden.',
	unfinished:
		'Der Prozess, in dem sie lief, wurde angehalten oder konnte den Speicher nicht lesen. Über das Hauptbuch sagt das nichts. Prüfen Sie noch einmal.',
	ended: 'Beendet',
	took: 'Dauer',
	seconds(seconds) {
		if (seconds < 1) return 'weniger als eine Sekunde';
		return seconds === 1 ? '1 Sekunde' : `${seconds} Sekunden`;
	},
	minutes: (minutes) => `${minutes} Minuten`,
	by: 'Gestartet von',
	operator: 'Befehlszeile',
	accounts: 'Konten',
	transfers: 'Umsätze',
	verify: 'Hauptbuch prüfen',
	runs: 'Eine Prüfung läuft. Warten Sie, bis sie beendet ist.',
	running: 'Eine Prüfung läuft',
	started: 'Begonnen',
	progress: (percent) => `${percent} % erledigt`,
	progressLabel: 'Fortschritt der Prüfung',
	leave: 'Sie können diese Seite verlassen. Die Prüfung läuft weiter.',

	problemsBelow: 'Was jeder bedeutet und was zu tun ist, steht unten.',
	problems: 'Fehler',
	firstOf: (shown, all) => `Die ersten ${shown} von ${all}.`,
	problemsLead: 'Das Geld bleibt, wie es ist, bis Sie etwas tun. Machen Sie vor allem anderen eine Sicherung.',
	unknownProblem: {
		means: 'Diese Seite kennt diese Art von Fehler nicht.',
		todo: 'Fragen Sie die Entwickler, mit dem Text des Fehlers.',
	},
	problemName(problem) {
		const [known, name] = Object.entries(PROBLEM_NAMES).find(([known]) => problem.startsWith(known)) ?? ['', problem];
		// Some say behind a colon what they found.
		const [detail = ''] = /^: .*/s.exec(problem.slice(known.length)) ?? [];
		return known === '' ? problem : name + detail;
	},
	meanings: [
		{
			problem: 'the balance is not the sum of its ledger entries',
			means:
				'Das gespeicherte Guthaben wurde ohne Umsatz geändert oder ein Umsatz ohne sein Guthaben. Der Dienst selbst schreibt immer beides zugleich.',
			todo: `${WHO_WRITES} Stellen Sie eine Sicherung wieder her, oder vergleichen Sie die Umsätze dieses Kontos mit dem, was seinem Besitzer gesagt wurde.`,
		},
		{
			problem: 'a ledger entry does not lead from the balance before to the balance after',
			means: 'Ein Umsatz wurde am Dienst vorbei hinzugefügt, geändert oder entfernt.',
			todo: `${WHO_WRITES} Laden Sie den Kontoauszug herunter: Es geschah in der Zeile, deren Guthaben nicht aus der vorigen folgt.`,
		},
		{
			problem: 'a ledger entry is of a kind that this version does not know',
			means: 'Eine neuere Version hat ihn geschrieben oder jemand von Hand.',
			todo: 'Starten Sie die Version, die ihn geschrieben hat, und prüfen Sie noch einmal.',
		},
		{
			problem: 'the balance is below zero',
			means: 'Der Dienst lässt kein Guthaben unter null fallen. Es wurde also auf andere Weise geändert.',
			todo: `${WHO_WRITES} Laden Sie das Konto erst auf, wenn Sie wissen, warum.`,
		},
		{
			problem: 'the debt is not the sum of its ledger entries',
			means:
				'Die gespeicherte Schuld des Resellers wurde ohne Umsatz geändert oder ein Umsatz ohne die Schuld. Der Dienst selbst schreibt immer beides zugleich.',
			todo: `${WHO_WRITES} Vergleichen Sie die Zeilen der Schuld im Kontoauszug des Resellers mit seinem Datenverkehr.`,
		},
		{
			problem: 'the reseller owes something, and has a balance that could pay it',
			means:
				'Der Dienst bezahlt eine Schuld immer, soweit das Guthaben des Resellers reicht. Eines von beiden wurde also geändert.',
			todo: `${WHO_WRITES} Die nächste Änderung dieses Guthabens bezahlt die Schuld.`,
		},
		{
			problem: 'a ledger entry names an account that does not exist',
			means: 'Ein Konto wurde entfernt. Der Dienst entfernt keines.',
			todo: 'Stellen Sie das Konto aus einer Sicherung wieder her.',
		},
		{
			problem: 'a deleted sub-user still has an account, or its name is free',
			means:
				'Der Name eines gelöschten Unterbenutzers wird wieder benutzt oder könnte es. Seine Vergangenheit würde sich mit der eines anderen mischen.',
			todo: `${WHO_WRITES} Stellen Sie eine Sicherung wieder her.`,
		},
		{
			problem: 'the account and the register of usernames do not agree',
			means:
				'Ein Name ist ohne Konto vergeben, oder der Name eines Kontos ist nicht eingetragen. Ein solcher Name könnte zweimal vergeben werden.',
			todo: `${WHO_WRITES} Stellen Sie eine Sicherung wieder her.`,
		},
		{
			problem: 'the money that came in is not the balances of the accounts of this reseller plus their fees',
			means: 'In den Konten dieses Resellers ist Geld erschienen oder verschwunden.',
			todo: 'Suchen Sie in dieser Liste einen anderen Fehler seiner Konten: Dort steht, welches Konto es ist.',
		},
		{
			problem: 'the cost of its bandwidth is not its bytes times the price',
			means: 'Die Bytes, die Kosten oder der Preis eines Zählers wurden am Dienst vorbei geändert.',
			todo: `${WHO_WRITES} Vergleichen Sie den Kontoauszug mit den Meldungen Ihrer Proxy-Hosts, und geben Sie mit „bursar reseller credit“ zurück, was zu viel berechnet wurde.`,
		},
		{
			problem: 'the days of its bandwidth do not cost what its meters say',
			means: 'Die Kosten eines Tages oder eines Zählers wurden geändert. Der Dienst schreibt immer beides zugleich.',
			todo: `${WHO_WRITES} Berechnet wird nach den Zählern, nicht nach den Tagen.`,
		},
		{
			problem: 'the days of a reseller do not cost what those of its accounts do',
			means:
				'Die Kosten eines Tages des Resellers wurden geändert. Sie werden nur angezeigt; berechnet wird danach nichts.',
			todo: WHO_WRITES,
		},
		{
			problem: 'what was settled of its bandwidth is not the sum of its charges',
			means: 'Eine Abrechnung oder ihr Zähler wurde hinzugefügt, geändert oder entfernt.',
			todo: `${WHO_WRITES} Vergleichen Sie die Zeilen für Datenverkehr im Kontoauszug mit den Bytes des Kontos.`,
		},
		{
			problem: 'a charge of its bandwidth is not its bytes times the price',
			means: 'Die Bytes, die Cent oder der Preis einer Abrechnung wurden geändert. Ein Kontoauszug zeigt sie.',
			todo: `${WHO_WRITES} Vergleichen Sie die Zeilen für Datenverkehr im Kontoauszug mit den Bytes des Kontos.`,
		},
		{
			problem: 'the ledger entries of its bandwidth are not what was charged',
			means:
				'Zu einer Abrechnung des Datenverkehrs fehlt der Umsatz mit demselben Betrag, oder zu einem Umsatz die Abrechnung.',
			todo: `${WHO_WRITES} Stellen Sie eine Sicherung wieder her, oder gleichen Sie das Guthaben mit „bursar reseller credit“ aus.`,
		},
		{
			problem: 'no account has this name, but a price or a meter names it',
			means: 'Ein Konto wurde entfernt. Der Dienst entfernt keines.',
			todo: 'Stellen Sie das Konto aus einer Sicherung wieder her.',
		},
		{
			problem: 'the person belongs to a reseller that does not exist',
			means: 'Diese Person kann nichts tun, weil der Reseller fehlt.',
			todo: 'Sperren Sie die Person mit „bursar person lock“, und stellen Sie den Reseller aus einer Sicherung wieder her.',
		},
		{
			problem: 'a payment has no ledger entry',
			means:
				'Unter dieser Referenz ist eine Aufladung oder eine Korrektur eingetragen, aber das Geld wurde nicht bewegt, oder ihr Umsatz wurde geändert.',
			todo: `${WHO_WRITES} Vergleichen Sie den Kontoauszug des Resellers mit Ihren eigenen Büchern.`,
		},
		{
			problem: 'no reseller has this name',
			means: 'Die Grenze einer Guthabenwarnung ist von einem Reseller übrig, der von Hand entfernt wurde.',
			todo: `Geld ist nicht betroffen. ${WHO_WRITES}`,
		},
		{
			problem: 'no person has this id',
			means:
				'Eine Sitzung, ein Link, ein Faktor oder eine Aktivität ist von einer Person übrig, die von Hand entfernt wurde.',
			todo: `Geld ist nicht betroffen. ${WHO_WRITES}`,
		},
	],
};
