import type { Confirmation } from '../accounts.ts';
import type { CallOptions, ChangeOptions } from '../options.ts';
import type { BeginCall, Call } from '../protocol/call.ts';
import { read } from '../protocol/read.ts';
import { sendChange } from '../protocol/send-change.ts';
import { readCreatedWebhook, readRotatedSecret, readTries, readWebhook, readWebhooks } from '../read-webhooks.ts';
import type {
	DeletedWebhook,
	ListedWebhook,
	NewWebhook,
	RotatedSecret,
	UpdatedWebhook,
	WebhookCreation,
	WebhookTry,
	WebhookUpdate,
} from '../webhooks.ts';
import { nameOf, of, readNamed } from './named.ts';
import { sentFields } from './sent-fields.ts';

/**
 * Where the service sends your events: `bursar.webhooks`. `verifyWebhook` checks what arrives there.
 *
 * Besides the errors that its description names, each change can reject with `OutcomeUnknownError`.
 */
export class WebhooksResource {
	readonly #begin: BeginCall;

	constructor(begin: BeginCall) {
		this.#begin = begin;
	}

	/**
	 * Makes a webhook, which begins behind the newest event. Keep its secret: only the answer to this request tells it. If the
	 * answer is lost, the webhook is there, and `secret` is `undefined`: make another one with `rotateSecret`.
	 *
	 * Throws `InvalidRequestError`, `TooManyWebhooksError`.
	 */
	async create(webhook: NewWebhook, options: ChangeOptions = {}): Promise<WebhookCreation> {
		const body = sentFields('webhook', webhook, { known: NEW_FIELDS, of: 'a webhook' });
		return sendChange<Omit<WebhookCreation, keyof Confirmation>>(this.#begin(options), {
			asked: { operation: 'create_webhook' },
			request: { operation: 'createWebhook', body, readData: readCreatedWebhook },
			async answerOf({ doneAt }, call) {
				const created = await onlyWebhook(call, ({ url, dateCreated }) => {
					return url === body.url && dateCreated.getTime() === doneAt.getTime();
				});
				return { webhook: created, secret: undefined };
			},
		});
	}

	/** All your webhooks, the oldest first: five at most. */
	async list(options: CallOptions = {}): Promise<ListedWebhook[]> {
		return listWebhooks(this.#begin(options));
	}

	/**
	 * Changes what is given of a webhook. One that is switched on goes on where it stood, or at `position`.
	 *
	 * Throws `InvalidRequestError`, `UnknownWebhookError`, and `EventsExpiredError` or `EventsRewoundError` if the log does not
	 * have that place any more: give another `position`.
	 */
	async update(id: string, update: WebhookUpdate, options: ChangeOptions = {}): Promise<UpdatedWebhook> {
		const named = nameOf(id);
		const body = { ...named, ...sentFields('update', update, { known: UPDATE_FIELDS, of: 'a webhook' }) };
		return sendChange(this.#begin(options), {
			asked: { operation: 'update_webhook' },
			request: {
				operation: 'updateWebhook',
				body,
				readData(data) {
					const webhook = of(id, readWebhook)(data);
					return webhook && { webhook };
				},
			},
			answerOf: async (_, call) => ({ webhook: await onlyWebhook(call, (webhook) => webhook.id === id) }),
		});
	}

	/** Deletes a webhook for ever, with its secrets and its tries. Throws `UnknownWebhookError`. */
	async delete(id: string, options: ChangeOptions = {}): Promise<DeletedWebhook> {
		const body = nameOf(id);
		return sendChange(this.#begin(options), {
			asked: { operation: 'delete_webhook' },
			request: { operation: 'deleteWebhook', body, readData: of(id, readNamed) },
			async answerOf(_, call) {
				// The record of a change does not tell the webhook.
				if (call.isIdGiven && (await listWebhooks(call, true)).some((webhook) => webhook.id === id)) {
					throw new Error('the webhook is still there, so another change has this id');
				}
				return body;
			},
		});
	}

	/**
	 * Gives a webhook a new secret. The previous one signs too for 24 hours, and the one before it ends at once. Keep the new
	 * one: only the answer to this request tells it. If the answer is lost, `secret` is `undefined`: make another one.
	 * Throws `UnknownWebhookError`.
	 */
	async rotateSecret(id: string, options: ChangeOptions = {}): Promise<RotatedSecret> {
		const body = nameOf(id);
		return sendChange<Omit<RotatedSecret, keyof Confirmation>>(this.#begin(options), {
			asked: { operation: 'rotate_webhook_secret' },
			request: { operation: 'rotateWebhookSecret', body, readData: of(id, readRotatedSecret) },
			answerOf: () => ({ ...body, secret: undefined, previousExpiresAt: undefined }),
		});
	}

	/**
	 * Asks for a test event, also if the webhook is off: `webhook.test`, with the number 0. It is sent within seconds, and tried
	 * once: `tries` tells how that ended. Throws `UnknownWebhookError`.
	 */
	async test(id: string, options: CallOptions = {}): Promise<void> {
		const request = { operation: 'testWebhook', body: nameOf(id), readData: of(id, readNamed) } as const;
		await read(this.#begin(options), request);
	}

	/** The last 50 tries to send events to a webhook, the newest first. Throws `UnknownWebhookError`. */
	async tries(id: string, options: CallOptions = {}): Promise<WebhookTry[]> {
		return read(this.#begin(options), { operation: 'viewWebhookTries', body: nameOf(id), readData: readTries });
	}
}

function listWebhooks(call: Call, isPatient = false): Promise<ListedWebhook[]> {
	return read(call, { operation: 'viewAllWebhooks', body: {}, readData: readWebhooks }, isPatient);
}

/** Finds what a change left whose answer was lost. */
async function onlyWebhook(call: Call, isWanted: (webhook: ListedWebhook) => boolean) {
	const [found, ...others] = (await listWebhooks(call, true)).filter(isWanted);
	if (!found || others.length > 0) throw new Error('the webhook was changed or deleted since');
	const { eventsBehind: _, ...webhook } = found;
	return webhook;
}

const NEW_FIELDS: Readonly<Record<keyof NewWebhook, true>> = { url: true, types: true };
const UPDATE_FIELDS: Readonly<Record<keyof WebhookUpdate, true>> = { ...NEW_FIELDS, enabled: true, position: true };
