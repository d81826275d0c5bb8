import type { Endpoint } from './endpoint.ts';
import { type OwnOperation, routes } from './routes.ts';
import {
	CreatedWebhook,
	CreateWebhookRequest,
	NamedWebhook,
	RotatedWebhookSecret,
	UpdateWebhookRequest,
	Webhook,
	WebhookList,
	WebhookRequest,
	WebhooksRequest,
	WebhookTries,
} from './webhook-schemas.ts';

const ID = { id: 'whe_6Tq1XrVn0KbZ8sWdP3mYc7' };
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const WEBHOOK: Webhook = {
	...ID,
	url: 'https://shop.example.com/bursar/events',
	types: ['sub_user.unusable', 'sub_user.usable'],
	state: 'on',
	reason: null,
	position: '7-evt_3Jx0ZqPr7LmVd2TnKc9sWb',
	failing_since: null,
	next_try: null,
	date_created: '2026-11-21T09:30:00.000Z',
};
const BODY_FAILURES = ['payload_too_large', 'unsupported_media_type'] as const;
/** A suspended reseller may change them: a leaked secret must be replaced at any time. */
const CHANGE_FAILURES = [...BODY_FAILURES, 'change_repeated', 'outcome_unknown'] as const;

/** The endpoints of webhooks (docs/api.md 13). */
export const webhookEndpoints = {
	createWebhook: {
		...routes.createWebhook,
		tag: 'Webhooks',
		summary: 'Create a webhook',
		description:
			'From now on, the service sends each event to this URL, signed as Standard Webhooks says. It begins behind the newest event. Keep the `secret`: only this answer and that of `rotate_secret` tell it.',
		request: CreateWebhookRequest,
		requestExample: { url: WEBHOOK.url, types: WEBHOOK.types },
		answer: 'The new webhook and its secret.',
		data: CreatedWebhook,
		dataExample: { ...WEBHOOK, secret: SECRET },
		failures: [...CHANGE_FAILURES, 'invalid_webhook_url', 'too_many_webhooks'],
	},
	viewAllWebhooks: {
		...routes.viewAllWebhooks,
		tag: 'Webhooks',
		summary: 'List all webhooks',
		description: 'All webhooks of the reseller, the oldest first, and how far each is behind.',
		request: WebhooksRequest,
		requestExample: {},
		answer: 'All webhooks of the reseller.',
		data: WebhookList,
		dataExample: [
			{
				...WEBHOOK,
				failing_since: '2026-11-21T09:29:00.000Z',
				next_try: '2026-11-21T09:31:30.000Z',
				behind: 3,
			},
		],
		failures: BODY_FAILURES,
	},
	updateWebhook: {
		...routes.updateWebhook,
		tag: 'Webhooks',
		summary: 'Change a webhook, or switch it on or off',
		description:
			'What is absent stays as it is. A webhook that is switched on goes on where it stood, or at `position`. If the log does not have that place any more, the answer is 410: send another `position`.',
		request: UpdateWebhookRequest,
		requestExample: { ...ID, types: null, enabled: true, position: 7 },
		answer: 'The webhook as it is now.',
		data: Webhook,
		dataExample: { ...WEBHOOK, types: null },
		failures: [
			...CHANGE_FAILURES,
			...(['unknown_webhook', 'invalid_webhook_url', 'events_expired', 'events_rewound'] as const),
		],
	},
	deleteWebhook: {
		...routes.deleteWebhook,
		tag: 'Webhooks',
		summary: 'Delete a webhook',
		description: 'Deletes a webhook for ever, with its secrets and its tries. A try that is under way is not stopped.',
		request: WebhookRequest,
		requestExample: ID,
		answer: 'The webhook that was deleted.',
		data: NamedWebhook,
		dataExample: ID,
		failures: [...CHANGE_FAILURES, 'unknown_webhook'],
	},
	rotateWebhookSecret: {
		...routes.rotateWebhookSecret,
		tag: 'Webhooks',
		summary: 'Replace the secret of a webhook',
		description:
			'Gives the webhook a new secret. The previous one signs too for 24 hours, so that receivers can change over; the one before it ends at once.',
		request: WebhookRequest,
		requestExample: ID,
		answer: 'The new secret.',
		data: RotatedWebhookSecret,
		dataExample: { ...ID, secret: SECRET, previous_expires_at: '2026-11-22T09:30:00.000Z' },
		failures: [...CHANGE_FAILURES, 'unknown_webhook'],
	},
	testWebhook: {
		...routes.testWebhook,
		tag: 'Webhooks',
		summary: 'Send a test event',
		description:
			'Asks for an event of the type `webhook.test`, with the number 0, also if the webhook is off. It is sent within seconds, and tried once: `view_tries` tells how that ended. It changes nothing else.',
		request: WebhookRequest,
		requestExample: ID,
		answer: 'The webhook that is tested.',
		data: NamedWebhook,
		dataExample: ID,
		failures: [...BODY_FAILURES, 'unknown_webhook', 'outcome_unknown'],
	},
	viewWebhookTries: {
		...routes.viewWebhookTries,
		tag: 'Webhooks',
		summary: 'Read the last tries of a webhook',
		description: 'The last 50 tries to send events to a webhook, the newest first.',
		request: WebhookRequest,
		requestExample: ID,
		answer: 'The last tries.',
		data: WebhookTries,
		dataExample: [
			{
				at: '2026-11-21T09:29:30.000Z',
				event_id: 'evt_9Kd2LmQx7RvT0nWcYb4sZp',
				event_number: 8,
				event_type: 'sub_user.unusable',
				status: 503,
				failure: null,
				took_ms: 84,
				answer: 'try again later',
			},
		],
		failures: [...BODY_FAILURES, 'unknown_webhook'],
	},
} as const satisfies Partial<Record<OwnOperation, Endpoint>>;
