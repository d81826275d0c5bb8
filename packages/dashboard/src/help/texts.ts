import { texts } from '../preferences/catalogue.ts';

/** The words of the trade: what each is called, and what it means. */
export const glossary = texts('glossary', {
	balance: {
		name: 'Balance',
		means:
			'Money that was paid in advance. The balance of a reseller pays for new sub-users and for what they are given, and, if there is a price, for bandwidth.',
	},
	sub_user: {
		name: 'Sub-user',
		means:
			'A customer, a program or a device of a reseller, with a name, a key, a balance and limits of its own. It signs in at the proxies, never here.',
	},
	proxy_auth_key: {
		name: 'Proxy auth key',
		means:
			'The password of a sub-user at the proxies. It opens neither this dashboard nor the API. A reset makes a new one, and the previous one ends at once.',
	},
	token: {
		name: 'Token',
		means: 'The secret with which programs use the reseller API. It can move money, so keep it like a password.',
	},
	edge: {
		name: 'Edge',
		means:
			'A host on which proxies run. It asks this service whether a sub-user may pass, and reports the bytes. It moves no money.',
	},
	exhausted: {
		name: 'Run out',
		means: 'Nothing of the balance is left, so the proxies refuse the account until it gets some.',
	},
	limit: {
		name: 'Limit',
		means:
			'What a sub-user may use at most, however much balance it has. The proxies cut it when a limit is reached, and those of a day and of a month open again by themselves.',
	},
	debt: {
		name: 'Debt',
		means:
			'The cost of bandwidth that no balance covered, because an account ran out faster than it was cut, and refunds and disputes of payments whose money was spent. The reseller owes it, and whatever its balance gets pays it first. Beyond a line that the operator sets, the proxies refuse all its sub-users until it is paid.',
	},
	proof: {
		name: 'Confirmation',
		means:
			'A person who finds an open browser must not move money or take keys. So such a change needs the password or a passkey again; it then counts for some minutes.',
	},
	reference: {
		name: 'Reference',
		means:
			'What names a payment in your own books, like the number of an invoice. A reference counts once, so a payment that is sent twice is not counted twice.',
	},
	ledger: {
		name: 'Ledger',
		means:
			'All transactions, the oldest first. None is ever changed or removed. A verification adds them up again, and compares each balance with the sum.',
	},
	report: {
		name: 'Report',
		means: 'The bytes that an edge has counted for a sub-user. A report that arrives twice is counted once.',
	},
});

export const helpTexts = texts('helpTexts', {
	ask: 'What does “{name}” mean?',
});
