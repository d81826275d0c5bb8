import { ChangeRequest, type ErrorCode, normalizeUsername, SubUserRequest, TransferRequest } from '@bursar/contract';
import type { FastifyRequest } from 'fastify';
import { Compile } from 'typebox/compile';
import { jsonBodyOf } from '../server/bodies/body.ts';
import { hasMalformedChangeId, MALFORMED_CHANGE_ID } from '../server/change-id.ts';
import { hasMalformedExpiry, MALFORMED_EXPIRY } from '../server/expiry.ts';
import { hasMalformedReference, MALFORMED_REFERENCE } from './reference.ts';

export interface Intake {
	readonly lenient: boolean;
}
export interface Body {
	readonly value: Record<string, unknown>;
}
export interface Refused {
	readonly refused: ErrorCode;
	/** Says more than the code. */
	readonly message?: string;
}

const subUserRequest = Compile(SubUserRequest);
const transferRequest = Compile(TransferRequest);
const changeRequest = Compile(ChangeRequest);
const DECIMAL_DIGITS = /^[0-9]+$/;

/**
 * The sub-user that the body names. An invalid username gets the same answer as one that does not exist, so that a
 * client cannot tell them apart.
 */
export function readSubUserRequest(request: FastifyRequest, intake: Intake): { readonly username: string } | Refused {
	return subUserIn(readBody(request, intake));
}

/** The same for a change, which may have an id. */
export function readSubUserChange(request: FastifyRequest, intake: Intake): { readonly username: string } | Refused {
	return subUserIn(readChangeBody(request, intake));
}

export function subUserIn(body: Body | Refused): { readonly username: string } | Refused {
	if ('refused' in body) return body;
	if (!subUserRequest.Check(body.value)) return wrongField(body.value, ['username']);
	const username = normalizeUsername(body.value.username);
	return username === undefined ? { refused: 'unknown_sub_user' } : { username };
}

/** The name for a new sub-user (docs/api.md 6.1). */
export function readCreateRequest(request: FastifyRequest, intake: Intake): { readonly username: string } | Refused {
	const wanted = readSubUserChange(request, intake);
	return 'refused' in wanted && wanted.refused === 'unknown_sub_user' ? { refused: 'invalid_username' } : wanted;
}

/** The sub-user and the amount in USD cents that the body names. */
export function readTransferRequest(
	request: FastifyRequest,
	intake: Intake,
): { readonly username: string; readonly amountCents: number } | Refused {
	const body = readMovementBody(request, intake);
	if ('refused' in body) return body;
	const { value } = body;
	if (!transferRequest.Check(value)) return wrongField(value, ['username', 'amount_usd_cents']);
	const username = normalizeUsername(value.username);
	return username === undefined ? { refused: 'unknown_sub_user' } : { username, amountCents: value.amount_usd_cents };
}

/** The id of the change that the body names. */
export function readChangeRequest(request: FastifyRequest, intake: Intake): { readonly changeId: string } | Refused {
	const body = readBody(request, intake);
	if ('refused' in body) return body;
	if (changeRequest.Check(body.value)) return { changeId: body.value.change_id };
	return { refused: 'invalid_request', message: 'the field change_id must be 16 to 64 letters, digits, - or _' };
}

const TYPES = { username: 'string', amount_usd_cents: 'number' } as const;

/**
 * A missing field or a wrong type comes before an amount that is out of bounds. So the code says whether the client wrote
 * the body or chose the number wrongly.
 */
function wrongField(value: Record<string, unknown>, fields: readonly (keyof typeof TYPES)[]): Refused {
	const wrong = fields.find((field) => typeof value[field] !== TYPES[field]);
	if (wrong === undefined) return { refused: 'invalid_amount' };
	const fault = value[wrong] === undefined ? 'is missing' : `must be a ${TYPES[wrong]}`;
	return { refused: 'invalid_request', message: `the field ${wrong} of the request body ${fault}` };
}

function withNumericAmount(value: Record<string, unknown>): Record<string, unknown> {
	const amount = value.amount_usd_cents;
	if (typeof amount !== 'string' || !DECIMAL_DIGITS.test(amount)) return value;
	return { ...value, amount_usd_cents: Number(amount) };
}

/** The body of a change that names an amount. Only the lenient mode converts it. */
export function readAmountBody(request: FastifyRequest, intake: Intake): Body | Refused {
	const body = readChangeBody(request, intake);
	if ('refused' in body) return body;
	return intake.lenient ? { value: withNumericAmount(body.value) } : body;
}

/** The same of a change that moves money, which may have a reference. */
export function readMovementBody(request: FastifyRequest, intake: Intake): Body | Refused {
	const body = readAmountBody(request, intake);
	if ('refused' in body || !hasMalformedReference(request)) return body;
	return { refused: 'invalid_request', message: MALFORMED_REFERENCE };
}

export function readChangeBody(request: FastifyRequest, intake: Intake): Body | Refused {
	const body = readBody(request, intake);
	if ('refused' in body || !hasMalformedChangeId(request)) return body;
	return { refused: 'invalid_request', message: MALFORMED_CHANGE_ID };
}

export function readBody(request: FastifyRequest, intake: Intake): Body | Refused {
	const body = jsonBodyOf(request, intake);
	if ('refused' in body) return body.refused === 'invalid_request' ? NO_OBJECT : body;
	return hasMalformedExpiry(request) ? { refused: 'invalid_request', message: MALFORMED_EXPIRY } : body;
}

const NO_OBJECT: Refused = {
	refused: 'invalid_request',
	message: 'the request body must be a JSON object in UTF-8, in which no key stands twice',
};
