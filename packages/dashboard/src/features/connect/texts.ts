import { MAX_PROXY_OPTIONS } from '@bursar/contract/proxy-options';
import type { ProxyProtocol } from '@bursar/contract/proxy-url';
import { textsWith } from '../../preferences/catalogue.ts';
import type { Program } from './programs.ts';

const VALUES = { mostOptions: MAX_PROXY_OPTIONS };

export const connectTexts = textsWith('connectTexts', VALUES, {
	lead: 'What your programs need to use the proxies.',
	operatorLead: 'What resellers see on their page Connect, without an account and its key.',

	choose: 'Your choice',
	subUser: 'Sub-user',
	subUserHint: 'Empty for your own account, {reseller}.',
	noSuchSubUser: 'You have no sub-user with this name.',
	address: 'Proxy',
	typedAddress: 'Host and port of the proxy',
	typedAddressHint: 'Like proxy.example:3128.',
	typedAddressWrong: 'Enter a host and a port, like proxy.example:3128.',
	protocol: 'Protocol',
	protocols: { http: 'HTTP', https: 'HTTPS to the proxy', socks5: 'SOCKS5' } as const satisfies Record<
		ProxyProtocol,
		string
	>,
	any: 'Any',
	optionWrong: 'Only the letters a to z and A to Z, digits and periods are allowed.',
	session: 'New',
	newSession: 'New random session',

	unknownTitle: 'The operator has not said where the proxies are',
	unknown: 'Ask the operator of this service for host and port, and enter them here.',
	unsetTitle: 'Resellers are not told where your proxies are',
	unset: 'Tell them with this setting of the service. Until then, they have to know host and port.',
	settingLabel: 'Setting',
	settingExample: 'BURSAR_PROXY_URLS=http://proxy.example:3128,socks5://proxy.example:3128',
	settings: 'The addresses are those of BURSAR_PROXY_URLS, and the options those of BURSAR_PROXY_OPTIONS.',

	result: 'The proxy',
	hidden:
		'KEY stands for the proxy auth key, which is hidden. What you copy has the key itself. Showing or copying it is recorded.',
	shown: 'The key is shown. A person who has it can use up the balance and the bandwidth.',
	notForRole: 'KEY stands for the proxy auth key, which your role does not show.',
	placeholder: 'KEY and username stand for the key and the name of an account.',
	showKey: 'Show the key',
	hideKey: 'Hide the key',
	url: 'Proxy URL',
	colonForm: 'Host, port, name and password, for programs that ask for them in one line',
	curl: 'curl',

	programs: 'Programs',
	programsLead: 'Each example reads a page through the proxy.',
	names: {
		environment: 'Environment variables',
		python: 'Python (requests)',
		node: 'Node.js',
		playwright: 'Playwright',
		scrapy: 'Scrapy',
		go: 'Go',
	} as const satisfies Record<Program, string>,
	overSocks:
		'With SOCKS5, the proxy resolves names. Browsers, and so Playwright, cannot sign in to a SOCKS5 proxy: take HTTP for them.',

	incomplete: {
		sub_user: 'Enter the whole name of a sub-user, or none.',
		address: 'Enter the host and the port of the proxy.',
		options: 'Correct the options that are marked.',
		too_many: 'A password can have at most {mostOptions} options. Remove some.',
	},
});
