import { type PagesFor, pagesFor, type ShellPage } from '../../shell/pages.ts';
import { searchTexts } from './texts.ts';

/** A page, or a part of one, and usual words for it in all languages of the pages. */
interface Place extends ShellPage {
	readonly words: string;
}

// The words are in both languages, whatever language the pages speak: people look for the word that they know.
const OF_ALL: Readonly<Record<string, string>> = {
	'/connect':
		'connect proxy host port address client curl setup country session verbinden adresse zugang einrichten land',
	'/team': 'team people colleagues invite invitation roles rights owner manager viewer kollegen einladen rollen rechte',
	'/activity':
		'activity audit log history acts actions who protokoll verlauf aktivität wer aktionen csv sign-ins anmeldungen ip address adresse',
	'/webhooks': 'webhooks events callbacks notifications url ereignisse benachrichtigungen',
	'/account':
		'account profile password passkeys 2fa totp mfa security sessions e-mail mail konto profil passwort kennwort sicherheit sitzungen',
};
const OF_RESELLER: Readonly<Record<string, string>> = {
	...OF_ALL,
	'/': 'overview home dashboard balance bandwidth traffic usage limits debt übersicht start guthaben datenverkehr bandbreite verbrauch verkehr schulden',
	'/sub-users':
		'sub-users users customers clients accounts create names notes limits balance csv unterbenutzer benutzer kunden konten anlegen notizen limits grenzen guthaben',
	'/statement':
		'transactions statement invoices payments top-ups fees references money history csv umsätze kontoauszug auszug rechnung rechnungen zahlungen aufladungen gebühren referenzen geld',
	'/top-ups':
		'top up top-up pay payment card bitcoin crypto stripe btcpay add money balance refund dispute aufladen aufladung bezahlen einzahlen zahlung karte guthaben erstattung',
	'/token': 'reseller api token key rest rotate replace curl scopes programs schlüssel zugriff programme ersetzen',
};
const OF_OPERATOR: Readonly<Record<string, string>> = {
	...OF_ALL,
	'/': 'home overview dashboard health start übersicht zustand',
	'/resellers':
		'resellers customers balance top-ups payments invoices prices suspend limits wiederverkäufer kunden guthaben aufladungen zahlungen rechnung rechnungen preise sperren',
	'/people': 'people persons users e-mail invite operators password personen benutzer einladen betreiber passwort',
	'/income': 'income revenue money sales earn earnings profit einnahmen umsatz geld erlöse',
	'/payments':
		'payments top-ups stripe btcpay bitcoin card refunds disputes chargebacks zahlungen aufladungen karte erstattungen rückbuchungen',
	'/bandwidth': 'bandwidth traffic bytes usage chart datenverkehr bandbreite verkehr verbrauch datenvolumen',
	'/usage':
		'usage reports counters corrections verbrauch meldungen berichte korrekturen datenverkehr bandbreite bandwidth',
	'/edges': 'edges proxy hosts servers keys join proxys server rechner schlüssel beitreten',
	'/ledger': 'ledger verify books money hauptbuch buchungen prüfen geld',
	'/mail': 'mail e-mail smtp outbox post postausgang',
	'/brand':
		'brand name logo colour color look theme letterhead address marke name logo farbe aussehen briefkopf anschrift',
	'/api-tokens': 'operator api token key rest programs schlüssel programme zugriff',
};

interface Section {
	readonly text: keyof typeof searchTexts.sections;
	readonly path: string;
	readonly words: string;
}

const SECTIONS_OF_ALL: readonly Section[] = [
	{ text: 'password', path: '/account', words: 'password change passwort kennwort ändern' },
	{ text: 'passkeys', path: '/account', words: 'passkeys webauthn security key fingerprint sicherheitsschlüssel' },
	{
		text: 'codes',
		path: '/account',
		words: 'one-time codes 2fa mfa totp two second factor authenticator einmalcodes zweiter faktor zwei-faktor',
	},
	{
		text: 'recovery',
		path: '/account',
		words: 'recovery backup codes wiederherstellung wiederherstellungscodes ersatz',
	},
	{ text: 'sessions', path: '/account', words: 'sessions devices browsers sign out sitzungen geräte browser abmelden' },
	{
		text: 'mails',
		path: '/account',
		words: 'mails e-mails notifications alerts benachrichtigungen meldungen abbestellen',
	},
];
const REFUSED =
	'refused blocked suspended expired ran out limit reached refusals cannot work why abgelehnt gesperrt ausgesetzt abgelaufen aufgebraucht grenze erreicht warum';
const TOP = 'top most heavy users bandwidth traffic yesterday today meiste verbrauch datenverkehr gestern heute';

const SECTIONS_OF_RESELLER: readonly Section[] = [
	{ text: 'refused', path: '/sub-users?state=refused', words: REFUSED },
	{ text: 'top', path: '/', words: TOP },
	{ text: 'lowBalance', path: '/', words: 'low balance warning alert niedriges guthaben warnung' },
	{
		text: 'bandwidth',
		path: '/',
		words: 'bandwidth chart traffic usage csv datenverkehr bandbreite verbrauch verkehr datenvolumen',
	},
	{
		text: 'many',
		path: '/many-sub-users',
		words: 'many at once bulk import csv file upload viele auf einmal massen datei hochladen limits',
	},
	{
		text: 'months',
		path: '/statement/months',
		words: 'months monthly invoice balance statement print monate monatlich rechnung guthaben kontoauszug',
	},
	{
		text: 'furtherTokens',
		path: '/token',
		words: 'further tokens api keys scopes rights weitere token schlüssel rechte',
	},
];
const SECTIONS_OF_OPERATOR: readonly Section[] = [
	{ text: 'refused', path: '/resellers?order=-refused', words: REFUSED },
	{ text: 'top', path: '/bandwidth', words: TOP },
	{
		text: 'corrections',
		path: '/usage',
		words: 'correct corrections day bandwidth korrektur korrigieren tag datenverkehr bandbreite',
	},
	{ text: 'connect', path: '/connect', words: OF_ALL['/connect'] ?? '' },
];

/** The pages that a text means, and parts of pages. Without a text, these are all pages. */
export function placesFor(person: PagesFor, text: string): readonly ShellPage[] {
	const wanted = folded(text)
		.split(/\s+/)
		.filter((word) => word !== '');
	const words = person.reseller === null ? OF_OPERATOR : OF_RESELLER;
	const pages = pagesFor(person);
	if (wanted.length === 0) return pages;
	const places: readonly Place[] = [
		...pages.map((page) => ({ ...page, words: words[page.path] ?? '' })),
		...[...SECTIONS_OF_ALL, ...(person.reseller === null ? SECTIONS_OF_OPERATOR : SECTIONS_OF_RESELLER)].map(
			({ text: key, path, words: meant }) => ({ label: searchTexts.sections[key], path, words: meant }),
		),
	];
	return places.filter((place) => isMeant(place, wanted)).map(({ label, path }) => ({ label, path }));
}

/** Each word that was typed must begin one of its words. */
function isMeant({ label, words }: Place, wanted: readonly string[]): boolean {
	const own = folded(`${label} ${words}`).split(/\s+/);
	return wanted.every((word) => own.some((each) => each.startsWith(word)));
}

/** Without capital letters and accents. */
function folded(text: string): string {
	return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
