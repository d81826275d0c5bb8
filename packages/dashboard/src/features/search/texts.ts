import { texts } from '../../preferences/catalogue.ts';

export const searchTexts = texts('searchTexts', {
	keys: 'Ctrl K',
	button: 'Search',
	title: 'Search',
	label: 'Search for anything, or paste it',
	/** What can be searched for. */
	offers: {
		operator:
			'Pages by any usual word · parts of names, e-mail addresses and hosts · the beginning of a reference · the number of a transaction · ids of requests and changes · the last four characters of a token or a key · an IP address',
		reseller:
			'Pages by any usual word · parts of names, notes, references, e-mail addresses and hosts · the number of a transaction · ids of requests and changes · the last four characters of a token · an IP address',
	},
	hits: 'Hits',
	groups: {
		pages: 'Pages',
		resellers: 'Resellers',
		sub_users: 'Sub-users',
		people: 'People',
		edges: 'Edges',
		movements: 'Transactions',
		top_ups: 'Payments',
		changes: 'Changes over the API',
		acts: 'Activity',
		tokens: 'Tokens',
		webhooks: 'Webhooks',
	},
	/** Parts of pages. */
	sections: {
		password: 'Change your password',
		passkeys: 'Your passkeys',
		codes: 'One-time codes (2FA)',
		recovery: 'Recovery codes',
		sessions: 'Where you are signed in',
		mails: 'Mails to you',
		lowBalance: 'Warning of a low balance',
		bandwidth: 'Bandwidth',
		refused: 'Who cannot work now, and why',
		top: 'Top ten sub-users',
		many: 'Many sub-users at once',
		months: 'Balances by month',
		furtherTokens: 'Further tokens',
		corrections: 'Correct the bandwidth of a day',
		connect: 'Connect to the proxies',
	},
	operator: 'Operator',
	deleted: 'Deleted',
	mainToken: 'Main token',
	noName: 'Create without a name',
	fromAddress: 'From {address}',
	/** Secrets stay in the browser. */
	hidden: {
		token:
			'This is a token. Only its last four characters were sent. If it stood in a place where others may have read it, replace it.',
		part_of_token: 'This looks like a part of a token, so nothing was sent. Type only its last four characters.',
		proxy_auth_key: 'This looks like a proxy auth key, so it was not sent. A key cannot be searched for.',
		secret: 'This looks like a secret, so nothing was sent.',
	},
	/** Kinds of which only a part was looked at. */
	lookedAt: {
		sub_users: 'Looked only through the first {count} names.',
		movements: 'Parts of references: looked only through the newest {count} transactions.',
		acts: 'Looked only through the newest {count} acts. The activity page looks further back.',
	},
	count: { one: '1 hit', other: '{count} hits' },
	searching: 'Searching',
	nothing: 'Nothing found.',
});
