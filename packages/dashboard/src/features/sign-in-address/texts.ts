import { MAX_SIGN_IN_IPS } from '@bursar/contract/limits';
import { textsWith } from '../../preferences/catalogue.ts';

export const signInAddressTexts = textsWith(
	'signInAddressTexts',
	{ most: MAX_SIGN_IN_IPS },
	{
		title: 'Sign-in by address',
		lead: 'Who uses the proxies from one of these addresses, without a password, is this sub-user.',
		offLead:
			'The operator does not allow sign-in by address now, so the proxies ask for a password. You can only remove addresses.',
		nowhere: 'It signs in from no address.',

		change: 'Set addresses',
		dialogTitle: 'Addresses of {username}',
		intro:
			'Everyone who uses the proxies from one of these addresses, without a password, is {username}: its balance and its limits count. Many people may share an address, for example in an office or in a mobile network. The key goes on to work from everywhere.',
		addresses: 'Addresses from which it signs in',
		addressesHint: 'One a line: IPv4, IPv6 or networks /64 like 2001:db8:0:7::/64; at most {most}. Empty: none.',
		problems: {
			address: 'Line {line} is not an address of a client, or a network /64 of IPv6.',
			too_many: 'At most {most} addresses are possible.',
		},
		save: 'Set the addresses',
		done: 'The addresses of {username} are set.',

		reseller: {
			on: 'Allowed',
			off: 'Not allowed',
			lead: 'Whether its sub-users may sign in by the address of their client, without a password.',
			repeated: 'It was done: it is as you have set it, unless another person has changed it since.',
			allow: {
				action: 'Allow',
				title: 'Let {reseller} sign in by address?',
				intro:
					'{reseller} can then set from which addresses each of its sub-users signs in, without a password. Only our own proxy knows such addresses. Behind a load balancer that hides the addresses of clients, all clients have the same one.',
			},
			end: {
				action: 'End it',
				title: 'End sign-in by address for {reseller}?',
				intro:
					'Within seconds, the proxies ask all sub-users of {reseller} for a password, and cut the connections of those that have signed in by address. The addresses are kept, and count again when you allow it.',
			},
		},
	},
);
