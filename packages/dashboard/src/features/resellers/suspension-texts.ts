import { texts } from '../../preferences/catalogue.ts';

export const suspensionTexts = texts('suspensionTexts', {
	title: 'State',
	active: 'Active',
	suspended: 'Suspended',
	activeLead: 'It can make changes, and the proxies check its pairs as usual.',
	suspendedLead: 'All its pairs are refused, and it can change no money and no sub-user.',
	since: 'Since',
	repeated: 'It was done: the state is as you have set it, unless another person has changed it since.',
	'/operator/suspend': {
		action: 'Suspend',
		title: 'Suspend {reseller}?',
		intro: 'This stops the business of {reseller} until an operator resumes it:',
		effects: {
			proxies:
				'Within seconds the proxies refuse its own pair and those of all its sub-users, and end their connections.',
			people:
				'Its programs and people still read everything, but change no money and no sub-user. They get “suspended”, and a note stands on each of their pages.',
			rest: 'Balances, keys, tokens and people stay as they are. You can still top it up, set its price and end its tokens.',
		},
	},
	'/operator/resume': {
		action: 'Resume',
		title: 'Resume {reseller}?',
		intro: '{reseller} goes on as before:',
		effects: {
			proxies:
				'Within seconds its pairs are good again, except those of sub-users that it has suspended itself, that have expired or reached a limit, or that have nothing left.',
			people: 'Its programs and people can make changes again.',
		},
	},
});
