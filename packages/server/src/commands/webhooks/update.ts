import type { Books } from '../../domain/books.ts';
import { type EventCursor, refusalOfCursor } from '../../domain/events/cursor.ts';
import { eventTypesOf } from '../../domain/events/event-types.ts';
import { afresh, type ChangedWebhook } from '../../domain/webhooks/webhook.ts';
import { refused, type Verb } from '../verb.ts';
import {
	type ChangedOutcome,
	isAllowedUrl,
	type NewUrl,
	setOf,
	type WebhookCommand,
	webhookOf,
} from './webhook-command.ts';

/** What is absent stays as it is. */
export interface UpdateWebhook extends WebhookCommand, Partial<NewUrl> {
	readonly kind: 'update_webhook';
	/** `null`: all. */
	readonly types?: readonly string[] | null | undefined;
	readonly isEnabled?: boolean | undefined;
	/** The event behind which it goes on. */
	readonly position?: EventCursor | undefined;
}

type UpdateRefusal = 'unknown_webhook' | 'invalid_webhook_url' | 'invalid_types' | 'events_expired' | 'events_rewound';

/**
 * Changes a webhook, switches it off, or on again: then it goes on where it stood, or at a position. If the log does not
 * have what comes next there, it wants another position. With another URL or position, the next try is made at once.
 */
export const updateWebhook: Verb<UpdateWebhook, ChangedOutcome, UpdateRefusal> = {
	kind: 'update_webhook',
	calls: ['/webhooks/update'],
	isOtherChange: true,
	needs: ({ position }) => ({ webhooks: true, ...(position && { event: position.number }) }),
	decide(books, command, nowMs) {
		const { url, allowsLoopback, isEnabled, position } = command;
		const before = webhookOf(books, command);
		if (!before) return refused('unknown_webhook');
		if (url !== undefined && !isAllowedUrl({ url, allowsLoopback })) return refused('invalid_webhook_url');
		const types = command.types == null ? command.types : eventTypesOf(command.types);
		if (command.types != null && types === undefined) return refused('invalid_types');
		const isSwitchedOn = isEnabled === true && before.offReason !== null;
		const reached = position ?? (isSwitchedOn ? before.reached : undefined);
		const refusal = reached && refusalOfCursor(reached, books.logOf(before.reseller, reached.number));
		if (refusal) return refused(refusal);
		const isAfresh = isSwitchedOn || position !== undefined || (url !== undefined && url !== before.url);
		const set: ChangedWebhook = {
			...(url !== undefined && { url }),
			...(types !== undefined && { types }),
			...(isSwitchedOn && { offReason: null }),
			...(isEnabled === false && before.offReason === null && { offReason: 'switched_off' as const }),
			...(position && { reached: guarded(books, before.reseller, position) }),
			...(isAfresh && afresh(nowMs)),
		};
		return setOf(command, before, set, nowMs);
	},
};

/** The place with the id of its event, if that is kept. */
function guarded(books: Books, reseller: string, { number, id }: EventCursor): EventCursor {
	return { number, id: id ?? books.logOf(reseller, number).idAt ?? undefined };
}
