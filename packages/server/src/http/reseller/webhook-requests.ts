import { EVENT_TYPES, type EventType } from '@bursar/contract/events';
import type { FastifyRequest } from 'fastify';
import type { CreateWebhook } from '../../commands/webhooks/create.ts';
import type { UpdateWebhook } from '../../commands/webhooks/update.ts';
import { cursorIn, typesIn } from './event-requests.ts';
import { type Body, type Intake, type Refused, readBody, readChangeBody } from './sub-user-request.ts';
import { wrong } from './terms-requests.ts';

/** The webhook that the body names. */
export interface WantedWebhook {
	readonly id: string;
}

export function readWebhookRequest(request: FastifyRequest, intake: Intake): WantedWebhook | Refused {
	return webhookIn(readBody(request, intake));
}

/** The same for a change, which may have an id. */
export function readWebhookChange(request: FastifyRequest, intake: Intake): WantedWebhook | Refused {
	return webhookIn(readChangeBody(request, intake));
}

/** Text that is no id gets the same answer as the id of a webhook that does not exist. */
function webhookIn(body: Body | Refused): WantedWebhook | Refused {
	if ('refused' in body) return body;
	const { id } = body.value;
	if (typeof id !== 'string') return wrong('id', id === undefined ? 'is missing' : 'must be a string');
	return /^whe_[0-9A-Za-z]{22}$/.test(id) ? { id } : { refused: 'unknown_webhook' };
}

export function readCreateWebhook(
	request: FastifyRequest,
	intake: Intake,
): Pick<CreateWebhook, 'url' | 'types'> | Refused {
	const body = readChangeBody(request, intake);
	if ('refused' in body) return body;
	const { url } = body.value;
	if (typeof url !== 'string') return wrong('url', url === undefined ? 'is missing' : 'must be a string');
	const types = wantedTypes(body.value);
	return types === 'wrong' ? WRONG_TYPES : { url, types };
}

export function readUpdateWebhook(
	request: FastifyRequest,
	intake: Intake,
): Pick<UpdateWebhook, 'id' | 'url' | 'types' | 'isEnabled' | 'position'> | Refused {
	const body = readChangeBody(request, intake);
	const wanted = webhookIn(body);
	if ('refused' in body || ('refused' in wanted && wanted.refused !== 'unknown_webhook')) return wanted;
	const { url, enabled, position } = body.value;
	const types = wantedTypes(body.value);
	const place = position === undefined ? undefined : cursorIn(position);
	if (url !== undefined && typeof url !== 'string') return wrong('url', 'must be a string');
	if (types === 'wrong') return WRONG_TYPES;
	if (enabled !== undefined && typeof enabled !== 'boolean') return wrong('enabled', 'must be true or false');
	if (position !== undefined && place === undefined) return wrong('position', 'must be NUMBER-ID, or a number');
	if ([url, types, enabled, place].every((value) => value === undefined)) return NOTHING_TO_CHANGE;
	return 'refused' in wanted
		? wanted
		: { ...wanted, ...(url !== undefined && { url }), types, isEnabled: enabled, position: place };
}

const NOTHING_TO_CHANGE: Refused = {
	refused: 'invalid_request',
	message: 'at least one of url, types, enabled, position is needed',
};
const WRONG_TYPES = wrong('types', `must be null, or a list of some of ${EVENT_TYPES.join(', ')}, each once`);

/** `null`: all. */
function wantedTypes({ types }: Body['value']): readonly EventType[] | null | undefined | 'wrong' {
	if (types === undefined || types === null) return types;
	return typesIn(types) ?? 'wrong';
}
