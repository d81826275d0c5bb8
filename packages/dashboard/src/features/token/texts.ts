import type { Operation } from '@bursar/contract/routes';
import { texts } from '../../preferences/catalogue.ts';

export const tokenTexts = texts('tokenTexts', {
	intro: 'The programs of {reseller} call the API with one token, or with further ones that may do less.',

	current: 'The token',
	tailLabel: 'The token that ends in {tail}',
	made: 'Made',
	madeBy: 'Made by',
	operator: 'The operator',
	you: 'You',
	lastUsed: 'Last used',
	never: 'Never',
	rotate: 'Rotate the token',
	onlyOwners: 'Only owners of your team replace tokens.',
	rotationPending: 'The next rotation is possible when no process accepts the previous token any more.',

	previousTitles: {
		works: 'The previous token, which ends in {tail}, still works',
		expired: 'The previous token, which ends in {tail}, has expired',
	},
	worksFor: 'Works for',
	previousWorks: 'The previous token works for {left} more. Put the new token into all programs before that.',
	previousTodo: 'Put the new token into all programs before that.',
	previousExpired:
		'The previous token is no longer accepted. Other processes of the service may accept it for up to 30 seconds more.',
	nextRotation: 'Next rotation possible in {left}.',
	previousUsed: 'It was last used {ago}.',
	previousUnused: 'It was never used.',
	previousStillUsed: 'Some program still uses it.',
	spokenExpired: 'The previous token has expired.',
	spokenMinutes: {
		one: 'The previous token works for less than a minute more.',
		other: 'The previous token works for less than {count} minutes more.',
	},
	spokenSeconds: 'The previous token works for less than {seconds} seconds more.',

	further: 'Further tokens',
	furtherLead:
		'For a program that shall do less than the token above, or that takes long to change it. Each has a name, scopes and an end. A rotation leaves them as they are.',
	furtherNone: 'There is none.',
	furtherFull: 'There are as many as there can be. End one first.',
	furtherOnlyOwners: 'Only owners of your team create and end tokens.',
	scopesHint: 'No further token manages webhooks or tokens.',
	scopeNames: { read: 'Read', sub_users: 'Sub-users', money: 'Money' },
	scopeMeans: {
		read: 'Balance, transactions, bandwidth, limits and events. No proxy auth keys.',
		sub_users:
			'Read proxy auth keys; create sub-users, which spends fees; change their keys, limits and notes; suspend and delete them.',
		money: 'Give balance to sub-users, take it back, and begin payments.',
	},

	call: 'Call the API',
	callLead: 'A command for each endpoint, to try in a shell. Those that send a body have an example.',
	baseAddress: 'Base address',
	reference: 'Read the reference',
	shellHint: 'Type the token into your shell first. Then it stays out of the history of the shell:',
	readToken: 'read -rs BURSAR_TOKEN && export BURSAR_TOKEN',
	commandLabel: 'Command: {summary}',
	endpoints: {
		myInfo: 'Read the reseller account',
		createSubUser: 'Create a sub-user',
		viewAllSubUsers: 'List all sub-users',
		viewSubUser: 'Read one sub-user',
		viewUsage: 'Read daily bandwidth',
		resetAuthKey: 'Replace a proxy auth key',
		giveBalance: 'Give balance to a sub-user',
		takeBalance: 'Take balance from a sub-user',
		viewAccount: 'Read balance, debt and price',
		viewChange: 'Read what a change did',
		createSubUserWith: 'Create a sub-user with balance, limits and note',
		suspendSubUser: 'Suspend a sub-user',
		resumeSubUser: 'Resume a sub-user',
		setLimits: 'Set limits of a sub-user',
		setNote: 'Set the note of a sub-user',
		deleteSubUser: 'Delete a sub-user',
		viewDetails: 'Read state, limits and use of a sub-user',
		viewSubUserPage: 'List a page of sub-users',
		viewStatementPage: 'Read a page of the statement',
		viewEventPage: 'Read a page of events',
		createWebhook: 'Create a webhook',
		viewAllWebhooks: 'List all webhooks',
		updateWebhook: 'Change a webhook, or switch it on or off',
		deleteWebhook: 'Delete a webhook',
		rotateWebhookSecret: 'Replace the secret of a webhook',
		testWebhook: 'Send a test event',
		viewWebhookTries: 'Read the last tries of a webhook',
		createToken: 'Create a further token',
		viewAllTokens: 'List all further tokens',
		endToken: 'End a further token',
		createTopUp: 'Begin a payment',
		viewTopUpPage: 'Read a page of payments',
	} as const satisfies Record<Operation, string>,

	endAllTitle: 'Is a token lost, or known to another person?',
	endAllIntro: 'End every token now, the further ones too. All programs are refused until they have the new one.',
	endAll: 'End every token now',

	rotateIntro:
		'You get a new token. Choose how long the previous one lives, so that your programs can change over. Further tokens stay as they are.',
	overlap: 'The previous token lives',
	overlaps: { 0: 'No longer: it ends now', 60: '1 minute more', 240: '4 minutes more' },
	overlapHints: {
		0: 'Other processes of the service may accept it for up to 30 seconds more.',
		60: 'Enough if you change one program by hand.',
		240: 'Enough for a roll-out. A rotation then takes at most 5 minutes.',
	},
	rotateNow: 'Rotate',

	endAllBreaks: 'This breaks every program that calls the API:',
	endAllEffects: {
		tokens:
			'The current token, the previous one and all further ones are refused at once, and in every process within 30 seconds.',
		programs: 'Your programs get “unauthorized” until they have the new token.',
		rest: 'Proxy auth keys and balances stay as they are.',
	},

	newTitle: 'Your new token',
	newIntro: 'It is shown only now. Store it where your programs read it, and tell it to no one else.',
	newLabel: 'New token',
	allEnded:
		'All earlier tokens have ended, the further ones too. Other processes of the service may accept them for up to 30 seconds more.',
	askTitle: 'Close without storing the token?',
	ask: 'It cannot be shown again. Without it you have to get another one.',

	lostHappened:
		'It happened: the token now ends in {tail}, made {made} by you. The new token was in the answer that was lost, and it cannot be shown again.',
	lostOther:
		'The token was changed meanwhile: it now ends in {tail}, made {made} by {who}. If you do not have that token, ask for it.',
	lostWayOut: 'The way out is to end every token now. You then get a new one.',
});

/** Who made a token, for the person with this e-mail address. */
export function makerName(madeBy: string, email: string): string {
	if (madeBy === 'operator') return tokenTexts.operator;
	return madeBy === email ? tokenTexts.you : madeBy;
}
