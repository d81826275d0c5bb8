import { texts } from '../preferences/catalogue.ts';

export const pageNames = texts('pageNames', {
	home: 'Home',
	overview: 'Overview',
	subUsers: 'Sub-users',
	connect: 'Connect',
	statement: 'Transactions',
	topUps: 'Top up',
	payments: 'Payments',
	resellers: 'Resellers',
	people: 'People',
	income: 'Income',
	bandwidth: 'Bandwidth',
	usage: 'Usage reports',
	edges: 'Edges',
	ledger: 'Ledger',
	apiTokens: 'API tokens',
	brand: 'Brand',
	mail: 'Mail',
	team: 'Team',
	acts: 'Activity',
	token: 'Reseller API',
	webhooks: 'Webhooks',
	account: 'Account',
});

/** The headings of the navigation. */
export const pageGroups = texts('pageGroups', {
	customers: 'Customers',
	money: 'Money',
	network: 'Network',
	service: 'Service',
	programs: 'Programs',
	team: 'Team',
});

export const shellTexts = texts('shellTexts', {
	skip: 'Skip to the content',
	navigation: 'Pages',
	openNavigation: 'Open the list of pages',
	closeNavigation: 'Close the list of pages',
	operator: 'Operator',
	signOut: 'Sign out',
	userMenu: 'Account of {email}',
	timesAre: 'Times: {zone}',
	reload: 'Reload this page',
	offline: 'Your browser is offline. What you see may be old, and changes cannot be sent.',
	onlyReads:
		'You are a viewer: you can read everything here but proxy auth keys, and change nothing. An owner of your team can give you another role.',
	suspendedTitle: 'This account is suspended by the operator',
	suspendedSince: 'Since',
	suspended:
		'the proxies refuse your pair and those of your sub-users. You can read everything and replace your token, but change no balance and no sub-user. Ask the operator of this service.',
	faultTitle: 'This page has a fault',
	fault:
		'The page stopped because of a fault in it. Reload the page. If you were changing something, look whether it was done before you repeat it. If it happens again, send this text to the operator of this service:',
	notLoadedTitle: 'This page could not be loaded',
	notLoaded: 'The dashboard was updated since you opened it, or the connection is lost. Reload this page.',
	notFoundTitle: 'Not found',
	notFound: 'There is no page at this address.',
	toStart: 'Go to the start page',
	elsewhereTitle: 'The dashboard lives at another address',
	elsewhere: 'You cannot sign in at this address. Open the dashboard here:',
});
