import { type ErrorCode, EVENTS_NEWEST_HEADER, EVENTS_OLDEST_HEADER, STATEMENT_NEWEST_HEADER } from '@bursar/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../../commands/command.ts';
import type { ChangeCommand, RefusalReason, WithoutAct } from '../../commands/registry.ts';
import type { TestWebhook } from '../../commands/webhooks/test.ts';
import { answerWith } from '../server/answers.ts';
import { sendFailure, sendRepeatedChange } from '../server/envelope.ts';
import { EXPIRED, isExpired } from '../server/expiry.ts';
import type { ResellerDependencies } from './dependencies.ts';
import type { RefusedPlace } from './event-page.ts';
import type { RewoundStatement } from './statement-page.ts';
import { changeView } from './views.ts';

type ResellerCommand = WithoutAct<ChangeCommand | TestWebhook>;

type RefusalDependencies = Pick<ResellerDependencies, 'store' | 'nowMs'>;

/** Answers that a command was refused. */
export function sendRefusal(
	request: FastifyRequest,
	reply: FastifyReply,
	{ error: reason, isCallerBusy }: Refusal<Reason>,
	dependencies: RefusalDependencies,
): void {
	if (reason === 'change_repeated') {
		sendRepeated(request, reply, dependencies);
		return;
	}
	const nowMs = dependencies.nowMs();
	const isLate = reason === 'not_done' && isExpired(request, nowMs);
	if (isLate || isCallerBusy) request.unavailableBecause = 'asker';
	sendFailure(reply, codeOf(reason), nowMs, isLate ? EXPIRED : undefined);
}

/** Answers what the change with this id did. It is read only now, because repeats are rare. */
function sendRepeated(
	{ reseller, changeId }: FastifyRequest,
	reply: FastifyReply,
	{ store, nowMs }: RefusalDependencies,
): void {
	answerWith(reply, store.findChange(reseller, changeId as string), (change) => {
		if (!change) throw new Error('a change was repeated, and its record was forgotten meanwhile');
		sendRepeatedChange(reply, { change: changeView(change) }, nowMs());
	});
}

type Reason = RefusalReason<ResellerCommand> | 'provider_off';

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
