import type { ErrorCode } from '@bursar/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal, RefusalReason, WithoutAct } from '../../domain/command.ts';
import type { ChangeCommand } from '../../domain/recorded-change.ts';
import { sendFailure } from '../server/envelope.ts';
import { EXPIRED, isExpired } from './expiry.ts';

type ResellerCommand = WithoutAct<ChangeCommand>;

/** Answers that a command was refused. `nowMs` in Unix milliseconds. */
export function sendRefusal(
	request: FastifyRequest,
	reply: FastifyReply,
	{ error: reason, isAskersBound }: Refusal<RefusalReason<ResellerCommand>>,
	nowMs: number,
): FastifyReply {
	const isLate = reason === 'not_done' && isExpired(request, nowMs);
	if (isLate || isAskersBound) request.unavailableBecause = 'asker';
	return sendFailure(reply, REFUSAL_CODES[reason], nowMs, isLate ? EXPIRED : undefined);
}

/** The error codes with which resellers are answered when a command was refused. */
const REFUSAL_CODES: Readonly<Record<RefusalReason<ResellerCommand>, ErrorCode>> = {
	invalid_limits: 'invalid_limits',
	invalid_note: 'invalid_note',
	suspended: 'suspended',
	unknown_sub_user: 'unknown_sub_user',
	invalid_amount: 'invalid_amount',
	insufficient_balance: 'insufficient_balance',
	// docs/decisions/0005-balance-limit.md
	balance_limit: 'invalid_amount',
	no_usable_username: 'invalid_username',
	username_taken: 'username_taken',
	change_repeated: 'change_repeated',
	rules_failed: 'internal_error',
	not_done: 'unavailable',
	outcome_unknown: 'outcome_unknown',
};
