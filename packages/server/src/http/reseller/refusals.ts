import { type ErrorCode, EVENTS_NEWEST_HEADER, EVENTS_OLDEST_HEADER, STATEMENT_NEWEST_HEADER } from '@bursar/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../../commands/command.ts';
import type { ChangeCommand, RefusalReason, WithoutAct } from '../../commands/registry.ts';
import type { TestWebhook } from '../../commands/webhooks/test.ts';
import { sendFailure } from '../server/envelope.ts';
import { EXPIRED, isExpired } from '../server/expiry.ts';
import type { RefusedPlace } from './event-page.ts';
import type { RewoundStatement } from './statement-page.ts';

type ResellerCommand = WithoutAct<ChangeCommand | TestWebhook>;

/** Answers that a command was refused. `nowMs` in Unix milliseconds. */
export function sendRefusal(
	request: FastifyRequest,
	reply: FastifyReply,
	{ error: reason, isCallerBusy }: Refusal<Reason>,
	nowMs: number,
): FastifyReply {
	const isLate = reason === 'not_done' && isExpired(request, nowMs);
	if (isLate || isCallerBusy) request.unavailableBecause = 'asker';
	return sendFailure(reply, codeOf(reason), nowMs, isLate ? EXPIRED : undefined);
}

type Reason = RefusalReason<ResellerCommand>;

/** The reason is the error code. These have another one. */
const OTHER_CODES: Readonly<Record<Exclude<Reason, ErrorCode> | 'balance_limit', ErrorCode>> = {
	// No balance passes 2^53-1 cents, ninety trillion dollars. The API has no code of its own for that.
	balance_limit: 'invalid_amount',
	no_usable_username: 'invalid_username',
	// The types of a body are checked before.
	invalid_types: 'invalid_request',
	rules_failed: 'internal_error',
	not_done: 'unavailable',
};

function codeOf(reason: Reason): ErrorCode {
	return reason in OTHER_CODES ? OTHER_CODES[reason as keyof typeof OTHER_CODES] : (reason as ErrorCode);
}

/** Answers that the log does not have a place, and which events there are. `nowMs` in Unix milliseconds. */
export function sendRefusedPlace(
	reply: FastifyReply,
	{ refused, oldest, newest }: RefusedPlace,
	nowMs: number,
): FastifyReply {
	const headers = { [EVENTS_OLDEST_HEADER]: String(oldest), [EVENTS_NEWEST_HEADER]: String(newest) };
	return sendFailure(reply.headers(headers), refused, nowMs);
}

/** The same of the statement. */
export function sendRewoundStatement(
	reply: FastifyReply,
	{ refused, newest }: RewoundStatement,
	nowMs: number,
): FastifyReply {
	return sendFailure(reply.header(STATEMENT_NEWEST_HEADER, String(newest)), refused, nowMs);
}
