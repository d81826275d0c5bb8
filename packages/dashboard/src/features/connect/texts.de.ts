import { MAX_PROXY_OPTIONS } from '@bursar/contract/proxy-options';
import type { connectTexts as english } from './texts.ts';

export const connectTexts: typeof english = {
	lead: 'Was Ihre Programme brauchen, um die Proxys zu benutzen.',
	operatorLead: 'Was Reseller auf ihrer Seite Verbinden sehen, ohne ein Konto und dessen Schlüssel.',

	choose: 'Ihre Auswahl',
	subUser: 'Unterbenutzer',
	subUserHint: (reseller) => `Leer für Ihr eigenes Konto, ${reseller}.`,
	noSuchSubUser: 'Sie haben keinen Unterbenutzer mit diesem Namen.',
	address: 'Proxy',
	typedAddress: 'Host und Port des Proxys',
	typedAddressHint: 'Zum Beispiel proxy.example:3128.',
	typedAddressWrong: 'Geben Sie einen Host und einen Port ein, zum Beispiel proxy.example:3128.',
	protocol: 'Protokoll',
	protocols: { http: 'HTTP', https: 'HTTPS bis zum Proxy', socks5: 'SOCKS5' },
	any: 'Beliebig',
	optionWrong: 'Nur die Buchstaben a bis z und A bis Z, Ziffern und Punkte sind erlaubt.',
	session: 'Neu',
	newSession: 'Neue zufällige Sitzung',

	unknownTitle: 'Der Betreiber hat nicht angegeben, wo die Proxys sind',
	unknown: 'Fragen Sie den Betreiber dieses Dienstes nach Host und Port, und geben Sie beides hier ein.',
	unsetTitle: 'Resellern wird nicht gesagt, wo Ihre Proxys sind',
	unset: 'Geben Sie es mit dieser Einstellung des Dienstes an. Bis dahin müssen sie Host und Port kennen.',
	settingLabel: 'Einstellung',
	settingExample: 'BURSAR_PROXY_URLS=http://proxy.example:3128,socks5://proxy.example:3128',
	settings: 'Die Adressen sind die von BURSAR_PROXY_URLS, die Optionen die von BURSAR_PROXY_OPTIONS.',

	result: 'Der Proxy',
	hidden:
		'KEY steht für den Proxy-Schlüssel, der verborgen ist. Was Sie kopieren, enthält den Schlüssel selbst. Anzeigen und Kopieren werden aufgezeichnet.',
	shown: 'Der Schlüssel ist sichtbar. Wer ihn hat, kann das Guthaben und den Datenverkehr verbrauchen.',
	notForRole: 'KEY steht für den Proxy-Schlüssel, den Ihre Rolle nicht sehen darf.',
	placeholder: 'KEY und username stehen für den Schlüssel und den Namen eines Kontos.',
	showKey: 'Schlüssel anzeigen',
	hideKey: 'Schlüssel verbergen',
	url: 'Proxy-URL',
	colonForm: 'Host, Port, Name und Passwort, für Programme, die alles in einer Zeile verlangen',
	curl: 'curl',

	programs: 'Programme',
	programsLead: 'Jedes Beispiel liest eine Seite über den Proxy.',
	names: {
		environment: 'Umgebungsvariablen',
		python: 'Python (requests)',
		node: 'Node.js',
		playwright: 'Playwright',
		scrapy: 'Scrapy',
		go: 'Go',
	},
	overSocks:
		'Bei SOCKS5 löst der Proxy Namen auf. Browser, und damit Playwright, können sich an einem SOCKS5-Proxy nicht anmelden: Nehmen Sie dafür HTTP.',

	incomplete: {
		sub_user: 'Geben Sie den ganzen Namen eines Unterbenutzers ein oder keinen.',
		address: 'Geben Sie den Host und den Port des Proxys ein.',
		options: 'Korrigieren Sie die markierten Optionen.',
		too_many: `Ein Passwort kann höchstens ${MAX_PROXY_OPTIONS} Optionen haben. Entfernen Sie einige.`,
	},
};
