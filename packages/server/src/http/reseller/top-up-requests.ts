import { PAYMENT_PROVIDERS, type PaymentProviderName } from '@bursar/contract/payments';
import type { FastifyRequest } from 'fastify';
import { isTransferAmount } from '../../domain/money.ts';
import { type Intake, type Refused, readAmountBody, readBody } from './sub-user-request.ts';
import { limitOf, WRONG_AFTER, WRONG_LIMIT, wrong } from './terms-requests.ts';

/** Where the body wants to pay, and how much in USD cents. */
export function readCreateTopUp(
	request: FastifyRequest,
	intake: Intake,
): { readonly provider: PaymentProviderName; readonly amountCents: number } | Refused {
	const body = readAmountBody(request, intake);
	if ('refused' in body) return body;
	const { provider, amount_usd_cents: amountCents } = body.value;
	if (!isProvider(provider))
		return wrong('provider', provider === undefined ? 'is missing' : `must be ${PAYMENT_PROVIDERS.join(' or ')}`);
	if (typeof amountCents !== 'number')
		return wrong('amount_usd_cents', amountCents === undefined ? 'is missing' : 'must be a number');
	return isTransferAmount(amountCents) ? { provider, amountCents } : { refused: 'invalid_amount' };
}

function isProvider(value: unknown): value is PaymentProviderName {
	return PAYMENT_PROVIDERS.some((name) => name === value);
}

/** Which payments the body names. */
interface WantedTopUps {
	readonly after: string | null;
	readonly id: string | undefined;
	readonly only: 'waiting' | undefined;
	readonly limit: number;
}

export function readTopUpPageRequest(request: FastifyRequest, intake: Intake): WantedTopUps | Refused {
	const body = readBody(request, intake);
	if ('refused' in body) return body;
	const { after = null, id, only } = body.value;
	const limit = limitOf(body.value);
	if (limit === undefined) return WRONG_LIMIT;
	if (after !== null && typeof after !== 'string') return WRONG_AFTER;
	if (only !== undefined && only !== 'waiting') return wrong('only', 'must be waiting, or absent');
	if (id !== undefined && typeof id !== 'string') return wrong('id', 'must be a string, or absent');
	return { after, id, only, limit };
}
