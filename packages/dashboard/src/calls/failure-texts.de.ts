import { MAX_PASSKEYS, MAX_TEAM } from '@bursar/contract/dashboard';
import { typedMoney } from '../format/money.ts';
import { numberText } from '../format/number.ts';
import type { failureTexts as english, tryTexts as englishTry } from './failure-texts.ts';

const OUR_FAULT = 'Laden Sie diese Seite neu. Wenn es wieder geschieht, sagen Sie es dem Betreiber dieses Dienstes.';

export const tryTexts: typeof englishTry = {
	wait(seconds) {
		const minutes = Math.ceil(seconds / 60);
		const time =
			seconds < 60
				? `${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'}`
				: `${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'}`;
		return `Warten Sie ${time}, und versuchen Sie es dann noch einmal.`;
	},
	codeHint(hasOneTimeCodes) {
		if (hasOneTimeCodes === undefined) {
			return 'Der Code, den Ihre App jetzt zeigt, wenn Sie Einmalcodes benutzen, oder einer Ihrer Wiederherstellungscodes.';
		}
		return hasOneTimeCodes
			? 'Der Code, den Ihre App jetzt zeigt, oder einer Ihrer Wiederherstellungscodes.'
			: 'Einer Ihrer Wiederherstellungscodes.';
	},
};

export const failureTexts: typeof english = {
	lost: {
		happened: 'Es kam keine Antwort des Dienstes.',
		todo: 'Prüfen Sie Ihre Verbindung. Wenn Sie etwas geändert haben, sehen Sie nach, ob es getan ist, bevor Sie es wiederholen.',
	},
	page_fault: {
		happened: 'Diese Seite hat einen Fehler gemacht.',
		todo: `Wenn Sie etwas geändert haben, sehen Sie nach, ob es getan ist, bevor Sie es wiederholen. ${OUR_FAULT}`,
	},
	bad_request: { happened: 'Der Dienst konnte die Anfrage nicht lesen.', todo: OUR_FAULT },
	not_found: { happened: 'Der Dienst kennt nicht, was diese Seite verlangt hat.', todo: OUR_FAULT },
	method_not_allowed: { happened: 'Der Dienst kennt nicht, was diese Seite verlangt hat.', todo: OUR_FAULT },
	request_timeout: {
		happened: 'Die Anfrage brauchte zu lange, und nichts wurde getan.',
		todo: 'Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.',
	},
	payload_too_large: {
		happened: 'Der Text ist zu lang, und nichts wurde getan.',
		todo: 'Geben Sie einen kürzeren Text ein.',
	},
	unsupported_media_type: { happened: 'Der Dienst konnte die Anfrage nicht lesen.', todo: OUR_FAULT },
	expectation_failed: { happened: 'Der Dienst konnte die Anfrage nicht lesen.', todo: OUR_FAULT },
	headers_too_large: {
		happened: 'Der Browser sendet zu viele Cookies, und nichts wurde getan.',
		todo: 'Löschen Sie die Cookies dieser Website, und melden Sie sich dann wieder an.',
	},
	internal_error: {
		happened: 'Der Dienst hat einen Fehler, und nichts wurde getan.',
		todo: 'Sagen Sie es dem Betreiber dieses Dienstes.',
	},
	unavailable: {
		happened: 'Der Dienst kann das im Augenblick nicht tun, und nichts wurde getan.',
		todo: 'Versuchen Sie es in einigen Sekunden noch einmal.',
	},
	outcome_unknown: {
		happened: 'Der Dienst konnte nicht erfahren, ob es getan wurde.',
		todo: 'Laden Sie diese Seite neu, und sehen Sie nach, ob es getan ist, bevor Sie es wiederholen.',
	},
	rotation_pending: {
		happened: 'Das Token wurde vor kurzem ersetzt und kann noch nicht wieder ersetzt werden.',
		todo: 'Warten Sie, bis die Zeit vorbei ist, die diese Seite zeigt, und ersetzen Sie es dann.',
	},
	invalid_request: {
		happened: 'Der Dienst hat die Eingabe nicht angenommen.',
		todo: 'Prüfen Sie jedes Feld, und versuchen Sie es noch einmal.',
	},
	wrong_origin: {
		happened: 'Der Dienst hat eine Änderung von dieser Adresse nicht angenommen.',
		todo: 'Öffnen Sie das Dashboard unter seiner eigenen Adresse: Laden Sie diese Seite neu, um sie zu sehen.',
	},
	signed_out: {
		happened: 'Sie sind abgemeldet.',
		todo: 'Melden Sie sich wieder an. Was Sie eingegeben haben, bleibt hier.',
	},
	wrong_credentials: {
		happened: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
		todo: 'Prüfen Sie beide, und versuchen Sie es noch einmal.',
	},
	code_required: { happened: 'Es ist auch ein Code nötig.', todo: tryTexts.codeHint() },
	wrong_code: {
		happened: 'Der Code ist falsch, zu alt oder wurde schon benutzt.',
		todo: 'Geben Sie einen anderen ein: Jeder gilt einmal. Wenn es ein Code Ihrer App ist, warten Sie auf den nächsten.',
	},
	passkey_refused: {
		happened: 'Der Dienst hat diesen Passkey nicht angenommen.',
		todo: 'Versuchen Sie es noch einmal, oder nehmen Sie einen anderen Passkey oder Ihr Passwort.',
	},
	too_many_tries: {
		happened: 'Es waren zu viele Versuche.',
		todo: 'Warten Sie, und versuchen Sie es dann noch einmal.',
	},
	invalid_link: {
		happened: 'Dieser Link gilt nicht mehr: Er wurde benutzt oder ersetzt, oder er ist zu alt.',
		todo: 'Wenn Sie ihn benutzt haben, melden Sie sich an. Sonst bitten Sie den Betreiber dieses Dienstes um einen neuen.',
	},
	weak_password: {
		happened: 'Dieses Passwort ist leicht zu erraten, und nichts wurde getan.',
		todo: 'Es ist weit verbreitet oder Ihrer E-Mail-Adresse sehr ähnlich. Wählen Sie ein anderes, zum Beispiel vier Wörter ohne Zusammenhang.',
	},
	proof_required: {
		happened: 'Dafür ist noch einmal Ihr Passwort oder ein Passkey nötig.',
		todo: 'Versuchen Sie es noch einmal, und bestätigen Sie, dass Sie es sind.',
	},
	second_factor_required: {
		happened: 'Dafür ist ein zweiter Faktor nötig.',
		todo: 'Fügen Sie zuerst einen Passkey oder Einmalcodes hinzu.',
	},
	last_factor: {
		happened: 'Das ist Ihr letzter zweiter Faktor, und Betreiber müssen einen behalten.',
		todo: 'Fügen Sie zuerst einen anderen Passkey oder Einmalcodes hinzu.',
	},
	too_many_passkeys: {
		happened: `Sie haben ${MAX_PASSKEYS} Passkeys und können keine weiteren hinzufügen.`,
		todo: 'Entfernen Sie einen, den Sie nicht benutzen.',
	},
	act_repeated: {
		happened: 'Es war schon getan und wurde nicht noch einmal getan.',
		todo: 'Laden Sie diese Seite neu, um zu sehen, wie es steht.',
	},
	not_for_operators: {
		happened: 'Diese Seite gehört einem Reseller.',
		todo: 'Melden Sie sich als Person des Resellers an.',
	},
	not_allowed: {
		happened: 'Ihre Rolle erlaubt das nicht, und nichts wurde getan.',
		todo: 'Bitten Sie einen Inhaber Ihres Teams, es zu tun oder Ihre Rolle zu ändern.',
	},
	only_for_operators: {
		happened: 'Diese Seite gehört den Betreibern.',
		todo: 'Melden Sie sich als Betreiber an.',
	},
	invalid_query: {
		happened: 'Die Adresse dieser Seite ist nicht vollständig oder nicht richtig.',
		todo: 'Öffnen Sie die Seite noch einmal aus der Liste der Seiten.',
	},
	invalid_username: {
		happened: 'Das ist kein gültiger Name.',
		todo: 'Nehmen Sie 4 bis 32 Buchstaben, Ziffern, Punkte und Unterstriche, am Anfang und am Ende einen Buchstaben oder eine Ziffer.',
	},
	invalid_debt_line: {
		happened: 'Diese Grenze kann nicht gesetzt werden, und nichts wurde getan.',
		todo: `Geben Sie Dollar und Cent ein, zum Beispiel ${typedMoney(500)} oder ${typedMoney(0)}.`,
	},
	more_than_the_debt: {
		happened: 'Der Reseller schuldet weniger, und nichts wurde erlassen.',
		todo: 'Sehen Sie die Schuld noch einmal an: Vielleicht ist inzwischen etwas bezahlt worden.',
	},
	invalid_price: {
		happened: 'Dieser Preis kann nicht gesetzt werden.',
		todo: `Geben Sie ${numberText(0.000001)} bis ${numberText(1000)} US-Dollar je GB an.`,
	},
	invalid_amount: {
		happened: 'Dieser Betrag kann nicht bewegt werden, und nichts wurde getan.',
		todo: `Geben Sie Dollar und Cent ein, zum Beispiel ${typedMoney(1230)}. Der kleinste Betrag ist ${typedMoney(1)}.`,
	},
	invalid_limits: {
		happened: 'Eine der Grenzen hat nicht die richtige Form.',
		todo: 'Bytes und Verbindungen sind ganze Zahlen ab 1; 1 bis 32 Adressen oder Netze; eine Zeit in UTC.',
	},
	invalid_note: {
		happened: 'Die Notiz ist zu lang oder hat Zeichen, die nicht angezeigt werden können.',
		todo: 'Schreiben Sie höchstens 200 Zeichen in einer Zeile.',
	},
	suspended: {
		happened: 'Der Betreiber hat dieses Konto ausgesetzt, und nichts wurde getan.',
		todo: 'Sie können alles lesen. Um wieder etwas zu ändern, fragen Sie den Betreiber dieses Dienstes.',
	},
	unknown_sub_user: {
		happened: 'Sie haben keinen Unterbenutzer mit diesem Namen.',
		todo: 'Suchen Sie ihn in der Liste Ihrer Unterbenutzer.',
	},
	insufficient_balance: {
		happened: 'Das Guthaben reicht nicht, und nichts wurde getan.',
		todo: 'Wählen Sie einen kleineren Betrag, oder laden Sie zuerst Guthaben auf.',
	},
	username_taken: { happened: 'Dieser Name ist vergeben.', todo: 'Wählen Sie einen anderen Namen.' },
	balance_limit: {
		happened: 'So groß kann kein Guthaben sein, und nichts wurde getan.',
		todo: 'Wählen Sie einen kleineren Betrag.',
	},
	unknown_reseller: {
		happened: 'Diesen Reseller gibt es nicht.',
		todo: 'Suchen Sie ihn in der Liste der Reseller.',
	},
	invalid_reference: {
		happened: 'Der Dienst hat die Referenz nicht angenommen, und nichts wurde getan.',
		todo: 'Nehmen Sie 1 bis 200 sichtbare Zeichen in ihrer einfachen Form, mit einzelnen Leerzeichen zwischen Wörtern, zum Beispiel die Nummer einer Rechnung.',
	},
	invalid_reason: {
		happened: 'Der Dienst hat den Grund nicht angenommen, und nichts wurde getan.',
		todo: 'Nehmen Sie höchstens 200 Zeichen in einer Zeile.',
	},
	reference_conflict: {
		happened: 'Diese Referenz wurde für etwas anderes benutzt, und nichts wurde getan.',
		todo: 'Sehen Sie nach, was unter ihr getan wurde. Wenn dies etwas anderes ist, wählen Sie eine andere Referenz.',
	},
	email_taken: {
		happened: 'Es gibt schon eine Person mit dieser E-Mail-Adresse.',
		todo: 'Jede Adresse gehört einer Person. Nehmen Sie eine andere.',
	},
	unknown_person: {
		happened: 'Es gibt keine Person mit dieser E-Mail-Adresse.',
		todo: 'Laden Sie diese Seite neu.',
	},
	team_full: {
		happened: `Es gibt schon ${MAX_TEAM} Personen, und nichts wurde getan.`,
		todo: 'Entfernen Sie zuerst jemanden.',
	},
	last_operator: {
		happened: 'Kein anderer Betreiber könnte sich anmelden, und nichts wurde getan.',
		todo: 'Laden Sie einen anderen Betreiber ein. Er muss zuerst ein Passwort festlegen.',
	},
	own_account: {
		happened: 'Das ist Ihr eigenes Konto, und nichts wurde getan.',
		todo: 'Ein anderer Betreiber kann das tun. Ihr eigenes Passwort und Ihre Faktoren sind auf der Seite Konto.',
	},
	unknown_account: {
		happened: 'Der Reseller hat kein Konto mit diesem Namen, und nichts wurde getan.',
		todo: 'Suchen Sie es in der Liste der Unterbenutzer des Resellers.',
	},
	invalid_bytes: {
		happened: 'Diese Bytes können nicht hinzugefügt oder abgezogen werden, und nichts wurde getan.',
		todo: 'Geben Sie ganze Zahlen ein. Mindestens eine davon ist nicht 0.',
	},
	day_ahead: {
		happened: 'Dieser Tag hat in UTC noch nicht begonnen, und nichts wurde getan.',
		todo: 'Wählen Sie heute oder einen früheren Tag.',
	},
	too_few_bytes: {
		happened: 'Der Tag hat weniger Bytes, und nichts wurde getan.',
		todo: 'Ziehen Sie höchstens ab, was der Tag hat.',
	},
	too_many_bytes: {
		happened: 'So viele Bytes kann kein Tag haben, und nichts wurde getan.',
		todo: 'Fügen Sie weniger Bytes hinzu.',
	},
	invalid_edge_name: {
		happened: 'Das ist kein gültiger Name für eine Edge.',
		todo: 'Nehmen Sie 1 bis 63 Kleinbuchstaben, Ziffern, Punkte und Bindestriche, am Anfang und am Ende einen Buchstaben oder eine Ziffer.',
	},
	edge_exists: {
		happened: 'Es gibt schon eine Edge mit diesem Namen, und nichts wurde getan.',
		todo: 'Wählen Sie einen anderen Namen. Für einen neuen Schlüssel widerrufen Sie die Edge zuerst.',
	},
	no_edge_url: {
		happened: 'Die Einstellungen des Dienstes nennen keine Adresse für Proxy-Hosts, und nichts wurde getan.',
		todo: 'Setzen Sie BURSAR_EDGE_URL, oder erstellen Sie einen Schlüssel statt eines Links.',
	},
	too_many_edges: {
		happened: `Es gibt ${numberText(1000)} Edges, mehr sind nicht möglich.`,
		todo: 'Legen Sie eine widerrufene noch einmal an: Sie behält ihren Namen.',
	},
	unknown_edge: { happened: 'Es gibt keine Edge mit diesem Namen.', todo: 'Laden Sie diese Seite neu.' },
	verification_runs: {
		happened: 'Eine Prüfung läuft schon.',
		todo: 'Warten Sie, bis sie beendet ist: Diese Seite zeigt, wie weit sie ist.',
	},
	too_many_files: {
		happened: 'Zu viele Downloads laufen.',
		todo: 'Warten Sie, bis einer beendet ist, und versuchen Sie es noch einmal.',
	},
};
