import type { edgesTexts as english, newEdgeTexts as englishNew } from './texts.ts';

export const edgesTexts: typeof english = {
	lead: 'Die Proxy-Hosts, die Namen und Schlüssel prüfen und Datenverkehr melden. Jede hat einen eigenen Schlüssel.',
	connect: 'Was Resellern über sie gesagt wird',
	none: 'Es gibt noch keine Edge. Legen Sie eine an, und führen Sie den Befehl, den Sie erhalten, auf dem Proxy-Host aus.',
	noAddress:
		'Die Einstellungen nennen keine Adresse für Proxy-Hosts. Setzen Sie BURSAR_EDGE_URL, um Links zu erstellen, oder legen Sie die Edge mit einem Schlüssel an.',
	nameHint: 'Wie ein Hostname: Kleinbuchstaben, Ziffern, Punkte und Bindestriche.',
	createNow: 'Anlegen',
	keyIntro: 'Geben Sie diesen Schlüssel dem Proxy-Host, in BURSAR_EDGE_KEY. Er wird nur jetzt angezeigt.',
	linkIntro: (expires) =>
		`Führen Sie diesen Befehl auf dem Proxy-Host aus: Er erstellt dort einen Schlüssel. Der Link darin gilt bis ${expires} und nur einmal. Er wird nur jetzt angezeigt.`,
	actions: 'Aktionen',
	revoke: 'Widerrufen',
	revokeOne: (name) => `${name} widerrufen`,
	revokeTitle: (name) => `${name} widerrufen?`,
	revokeEffect:
		'Ihr Schlüssel wird binnen Sekunden überall abgelehnt: Der Proxy-Host kann niemanden mehr prüfen, und seine Meldungen werden abgelehnt. Was er gemeldet hat, bleibt gezählt. Sie können für denselben Namen später einen neuen Schlüssel erstellen.',
	label: 'Edges, zuerst die mit einem Schlüssel',
	name: 'Name',
	key: 'Schlüssel endet auf',
	lastSeen: 'Zuletzt aktiv',
	reportedTo: 'Gemeldet bis',
	checks: 'Prüfungen',
	refusals: 'Abgelehnt',
	created: 'Angelegt',
	revoked: 'Widerrufen',
	waits: 'Ihr Host ist noch nicht beigetreten. Der Link gilt bis',
	waitedUntil: 'Ihr Host ist nicht beigetreten. Der Link galt bis',
	noKey: 'Noch keiner',
	never: 'Nie',
	nothing: 'Noch nichts',
	quiet: 'Ohne Meldung',
	quietHint:
		'Eine Edge ist „ohne Meldung“, wenn sie in der letzten Minute aktiv war, ihre neueste Meldung aber mehr als eine Minute älter ist. Meist benutzt dann kein Client den Proxy. Wenn doch, ist das Programm stehen geblieben, das meldet.',
};

export const newEdgeTexts: typeof englishNew = {
	'/operator/edges/link': {
		action: 'Edge anlegen',
		title: 'Edge anlegen',
		intro:
			'Sie erhalten einen Befehl für den Proxy-Host, mit einem Link, der 24 Stunden und nur einmal gilt. Er wird nur einmal angezeigt.',
		secretTitle: (name) => `${name} beitreten lassen`,
		secretLabel: 'Befehl für den Proxy-Host',
		lost: 'Die Edge wurde angelegt, aber ihr Link stand in der Antwort, die verloren ging, und kann nicht noch einmal angezeigt werden. Schließen Sie dies, und erstellen Sie einen neuen Link: Er ersetzt den verlorenen.',
		again: 'Neuer Link',
		againOne: (name) => `Neuen Link für ${name} erstellen`,
	},
	'/operator/edges/create': {
		action: 'Mit Schlüssel anlegen',
		title: 'Edge mit einem Schlüssel anlegen',
		intro: 'Sie erhalten einen Schlüssel für ein eigenes Programm. Er wird nur einmal angezeigt.',
		secretTitle: (name) => `Der Schlüssel von ${name}`,
		secretLabel: 'Schlüssel der Edge',
		lost: 'Die Edge wurde angelegt, aber ihr Schlüssel stand in der Antwort, die verloren ging, und kann nicht noch einmal angezeigt werden. Schließen Sie dies, widerrufen Sie die Edge, und legen Sie sie noch einmal an: Dann erhalten Sie einen neuen Schlüssel.',
		again: 'Neuer Schlüssel',
		againOne: (name) => `Neuen Schlüssel für ${name} erstellen`,
	},
};
