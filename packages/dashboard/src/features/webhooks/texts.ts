import type { EventType } from '@bursar/contract/events';
import { MAX_WEBHOOKS } from '@bursar/contract/limits';
import type { OffReason } from '@bursar/contract/webhooks';
import { texts, textsWith } from '../../preferences/catalogue.ts';

export const webhooksTexts = textsWith(
	'webhooksTexts',
	{ most: MAX_WEBHOOKS },
	{
		lead: 'The service sends events to these addresses as soon as they happen.',
		onlyOwners: 'Only owners of your team change webhooks.',
		none: 'A webhook is an address of yours to which the service sends each event: a sub-user that was created or runs out of balance, a low balance, a new token. So your programs learn of it within seconds, without asking again and again.',
		reference: 'Read the reference',
		label: 'Webhooks, the oldest first',
		all: 'All webhooks',
		unknown: 'There is no such webhook. It may have been deleted.',

		url: 'URL',
		urlHint: 'It begins with https:// and names a public host.',
		state: 'State',
		events: 'Events',
		allEvents: 'All events',
		someEvents: { one: '{count} type', other: '{count} types' },
		behind: 'Behind',
		behindBy: { one: '{count} event, of any type', other: '{count} events, of any type' },
		nothingBehind: 'None',
		failingSince: 'Failing since',
		created: 'Created',
		reached: 'Reached',
		reachedOf: 'Event {number} of {newest}',
		nextTry: 'Next try',
		failedTries: 'Failed tries',
		id: 'Id',

		create: 'Create a webhook',
		createNow: 'Create',
		tooMany: 'There are {most} webhooks, the most there can be. Delete one first.',
		createIntro:
			'It begins with the next event. You get a secret, with which the receiver checks that an event is genuine.',
		createLost:
			'The webhook was created, but its secret was in the answer that was lost, and it cannot be shown again. Close this, open the webhook, and make a new secret.',
		secretTitle: 'The secret of the webhook',
		secretLabel: 'Secret of the webhook',
		secretIntro: 'Put this secret into the program that receives the events. It is shown only now.',

		typesLabel: 'Which events',
		everyType: 'All, also new types of later versions',
		chosenTypes: 'Only these',
		chosenLabel: 'Types of events',

		target: 'What is sent where',
		change: 'Change',
		changeTitle: 'Change the webhook',
		changeNow: 'Save',
		changeIntro: 'Another URL is tried at once.',

		test: 'Send a test',
		testTitle: 'Send a test event?',
		testNow: 'Send it',
		testIntro:
			'An event of the type webhook.test is sent within seconds, once, also if the webhook is off. The list of tries shows how that ended.',
		testAsked: 'A test event is being sent.',
		switchOff: 'Switch off',
		switchOffTitle: 'Switch the webhook off?',
		switchOffIntro:
			'Nothing is sent any more. If you switch it on again, it goes on where it stood, as long as the events are kept.',
		switchOn: 'Switch on',
		switchOnTitle: 'Switch the webhook on?',
		switchOnIntro: 'It goes on where it stood: next, it sends event {number}, if it wants its type.',
		nothingMissed: 'It goes on where it stood. There is no event that it has not reached.',

		position: 'Position',
		positionLead: 'Events are sent in their order. You can have some sent again, or skip some.',
		positionAction: 'Go on at another event',
		positionIntro: 'Events that are sent again have the same id as before.',
		positionSwitchesOn: 'This also switches the webhook on.',
		positionField: 'Number of the last event that counts as sent',
		positionHint: 'It goes on with the one behind it. {newest} is the newest: with it, nothing is sent again.',
		positionTooHigh: 'The newest event has the number {newest}.',
		positionNow: 'Go on there',

		secret: 'Secret and signature',
		secretLead: 'Each event is signed as Standard Webhooks says. Check the signature before you trust an event.',
		verify: 'With @bursar/client, in JavaScript:',
		rotate: 'Make a new secret',
		rotateTitle: 'Make a new secret?',
		rotateNow: 'Make it',
		rotateIntro:
			'Both secrets are valid for 24 hours: each event is signed with both. Put the new one into the receiver within that time. A secret that was replaced earlier ends now.',
		rotated: 'The previous secret signs too until {until}.',
		rotateLost:
			'A new secret was made, but it was in the answer that was lost, and it cannot be shown again. Close this, and make another one. Put it into the receiver at once: the secret that the receiver has now ends with it.',

		delete: 'Delete the webhook',
		deleteTitle: 'Delete the webhook?',
		deleteNow: 'Delete it',
		deleteLead: 'Nothing is sent to it any more. Its secret and the list of its tries are deleted too.',
	},
);

/** Whether a webhook is on, and why it is not. */
export const webhookStateTexts = texts('webhookStateTexts', {
	states: { on: 'On', failing: 'Failing', off: 'Off' },
	reasons: {
		switched_off: 'It was switched off by hand.',
		gone: 'The receiver answered 410: it wants no more events.',
		failing: 'All tries of three days have failed.',
		events_expired: 'The events that come next are no longer kept.',
		events_rewound: 'The log of events was set back, for example by a restore.',
		copied: 'The service runs on a copy of its data, which calls nobody.',
		secret_lost: 'Its secret was lost with the master key.',
	} as const satisfies Record<OffReason, string>,
	/** What the people of its reseller do. */
	todo: {
		switched_off: 'Switch it on to go on where it stood.',
		gone: 'If the receiver wants events again, switch it on.',
		failing: 'Repair the receiver, then switch it on.',
		events_expired: 'Read everything anew with your program, then choose where it goes on.',
		events_rewound: 'Read everything anew with your program, then choose where it goes on.',
		copied: 'The operator switches it on when this has become the real service.',
		secret_lost: 'Make a new secret, then switch it on.',
	} as const satisfies Record<OffReason, string>,
	failing: {
		one: 'The last try has failed. The event will be sent again.',
		other: 'The last {count} tries have failed. The event will be sent again.',
	},
});

export const eventTypeTexts = texts('eventTypeTexts', {
	'sub_user.created': 'Sub-user created',
	'sub_user.suspended': 'Sub-user suspended',
	'sub_user.resumed': 'Sub-user resumed',
	'sub_user.limits_set': 'Limits of a sub-user set',
	'sub_user.key_reset': 'Proxy auth key replaced',
	'sub_user.deleted': 'Sub-user deleted',
	'sub_user.unusable': 'Sub-user cannot use the proxies',
	'sub_user.usable': 'Sub-user can use the proxies again',
	'reseller.credited': 'Your balance changed by the operator or a payment',
	'reseller.balance_low': 'Your balance is low',
	'reseller.debt': 'Your debt began, changed or was paid',
	'reseller.suspended': 'Your account suspended',
	'reseller.resumed': 'Your account resumed',
	'token.rotated': 'Token replaced',
} as const satisfies Record<EventType, string>);

/** The last tries of a webhook. */
export const webhookTryTexts = texts('webhookTryTexts', {
	title: 'Last tries',
	lead: 'The last 50, the newest first. What is not answered with 2xx is sent again, more and more seldom, for three days.',
	none: 'Nothing was sent yet.',
	label: 'Tries, the newest first',
	at: 'Time',
	event: 'Event',
	eventNumber: 'Number {number}',
	result: 'Result',
	delivered: '{status}, delivered',
	failed: '{status}, failed',
	noAnswer: 'No answer',
	took: 'Duration',
	answer: 'Answer',
	show: 'Show',
	showOne: 'Show the answer of {moment}',
	answerTitle: 'Answer of {moment}',
	answerLead: 'The first 4 KiB, as the receiver has written them. Invisible characters are shown as spaces or codes.',
	failureLead: 'There was no answer:',
	empty: 'Empty',
});

/** The webhooks of all resellers, for operators. */
export const allWebhooksTexts = texts('allWebhooksTexts', {
	lead: 'The webhooks of all resellers: first those that are off and not by their resellers, then those that fail. Resellers change them.',
	none: 'No reseller has a webhook.',
	nothingFound: 'No reseller whose name begins like this has a webhook.',
	search: 'Beginning of the name of a reseller',
	label: 'Webhooks, the worst first',
	reseller: 'Reseller',
	host: 'Receiver',
});
