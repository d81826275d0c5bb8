import Type, { type Static, type TObject } from 'typebox';
import { EventTypes } from './event-types-part.ts';
import { nullable, UtcTimestamp } from './schema-parts.ts';
import { OFF_REASONS } from './webhooks.ts';

// Requests and answers of the webhooks (docs/api.md 13).

const WebhookId = Type.String({
	pattern: '^whe_[0-9A-Za-z]{22}$',
	description: 'The id of the webhook.',
	examples: ['whe_6Tq1XrVn0KbZ8sWdP3mYc7'],
});

const Url = (description: string) =>
	Type.String({
		maxLength: 500,
		pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$',
		description,
		examples: ['https://shop.example.com/bursar/events'],
	});

const Secret = Type.String({
	pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
	description: 'Signs what is sent. It is told only here: keep it.',
	examples: ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
});

/** The body of the calls that name one webhook and nothing else. */
export const WebhookRequest = Type.Object(
	{ id: WebhookId },
	{ description: 'Names one webhook. Other fields are ignored.' },
);

/** The body of `webhooks/view_all`. */
export const WebhooksRequest = Type.Object({}, { description: 'Nothing. Fields are ignored.' });

export const CreateWebhookRequest = Type.Object(
	{
		url: Url('Where the events are to be sent: `https`, and a public host.'),
		types: Type.Optional(nullable(EventTypes('Events of these types.'), 'Only these types; absent or `null`: all.')),
	},
	{ description: 'The new webhook. Other fields are ignored.' },
);

export const UpdateWebhookRequest = Type.Object(
	{
		id: WebhookId,
		url: Type.Optional(Url('Where the events are to be sent from now on.')),
		types: Type.Optional(nullable(EventTypes('Events of these types.'), 'Only these types; `null`: all.')),
		enabled: Type.Optional(Type.Boolean({ description: 'Switches it on or off.' })),
		position: Type.Optional(
			Type.Union(
				[
					Type.String({ pattern: '^(?:0|[1-9][0-9]{0,14})(?:-evt_[0-9A-Za-z]{22})?$' }),
					Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 }),
				],
				{
					description: 'The place in the log behind which it goes on, as `after` of `/reseller/events/view_page`.',
					examples: ['7-evt_3Jx0ZqPr7LmVd2TnKc9sWb'],
				},
			),
		),
	},
	{ minProperties: 2, description: 'What is to change; one field at least. Other fields are ignored.' },
);

const WEBHOOK = {
	id: WebhookId,
	url: Type.String({ description: 'Where the events are sent.' }),
	types: nullable(
		EventTypes('Only events of these types are sent.'),
		'The types of events that are sent; `null`: all.',
	),
	state: Type.Enum(['on', 'off'], { description: 'Whether events are sent.' }),
	reason: nullable(Type.Enum([...OFF_REASONS]), 'Why it is off; `null` if it is on.'),
	position: Type.String({ description: 'The place in the log that it has reached.' }),
	failing_since: nullable(
		UtcTimestamp('UTC.'),
		'When the first try failed since the last one that was delivered, UTC; `null` if the last try did not fail.',
	),
	next_try: nullable(UtcTimestamp('UTC.'), 'When the next try is made after one that failed, UTC; otherwise `null`.'),
	date_created: UtcTimestamp('When it was made, UTC.'),
};
const object = <Properties extends TObject['properties']>(properties: Properties, description: string) =>
	Type.Object(properties, { additionalProperties: false, description });

/** The data of `webhooks/update`. */
export const Webhook = object(WEBHOOK, 'A webhook.');
export type Webhook = Static<typeof Webhook>;

/** The data of `webhooks/create`. */
export const CreatedWebhook = object({ ...WEBHOOK, secret: Secret }, 'A new webhook and its secret.');
export type CreatedWebhook = Static<typeof CreatedWebhook>;

export const ListedWebhook = object(
	{
		...WEBHOOK,
		behind: Type.Integer({ minimum: 0, description: 'How many events, of any type, are behind its position.' }),
	},
	'A webhook, and how far it is behind.',
);
export type ListedWebhook = Static<typeof ListedWebhook>;

/** The data of `webhooks/view_all`. */
export const WebhookList = Type.Array(ListedWebhook, {
	description: 'All webhooks of the reseller, the oldest first.',
});

/** The data of `webhooks/rotate_secret`. */
export const RotatedWebhookSecret = object(
	{
		id: WebhookId,
		secret: Secret,
		previous_expires_at: UtcTimestamp('Until then, the previous secret signs too, UTC.'),
	},
	'The new secret of a webhook.',
);
export type RotatedWebhookSecret = Static<typeof RotatedWebhookSecret>;

/** The data of `webhooks/delete` and `webhooks/test`. */
export const NamedWebhook = object({ id: WebhookId }, 'The webhook.');

export const WebhookTry = object(
	{
		at: UtcTimestamp('When the try began, UTC.'),
		event_id: Type.String({ description: 'The id of the event: the `webhook-id` of the request.' }),
		event_number: Type.Integer({ minimum: 0, description: 'The number of the event; 0 for a test.' }),
		event_type: Type.String({ description: 'The type of the event; `webhook.test` for a test.' }),
		status: nullable(Type.Integer(), 'The HTTP status of the answer; `null` if there was none.'),
		failure: nullable(
			Type.String(),
			'Why there was none: `refused_address`, `unresolvable`, `certificate`, `connection`, `invalid_answer` or `timeout`; `null` if there was one.',
		),
		took_ms: Type.Integer({ minimum: 0, description: 'How long the try took, in milliseconds.' }),
		answer: Type.String({ description: 'The first 4 KiB of the answer, or a sentence about the failure.' }),
	},
	'A try to send an event.',
);
export type WebhookTry = Static<typeof WebhookTry>;

/** The data of `webhooks/view_tries`. */
export const WebhookTries = Type.Array(WebhookTry, {
	maxItems: 50,
	description: 'The last 50 tries, the newest first.',
});
