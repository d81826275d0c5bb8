import type { ErrorDescription } from '@bursar/contract';
import { type OperatorErrorCode, operatorErrors } from '@bursar/contract/operator';
import type { FastifyReply } from 'fastify';
import { type ListenerAnswers, sendAnswer } from '../server/answers.ts';
import { CHANGE_ID_HEADERS, noteChangeId } from '../server/change-id.ts';
import { type DoneBefore, describedFailure } from '../server/envelope.ts';
import { EXPIRY_HEADERS, noteExpiry } from '../server/expiry.ts';

/** Answers are in the envelope of the reseller API. */
export const OPERATOR_ANSWERS: ListenerAnswers = {
	failure: (code, nowMs) => describedFailure(code, operatorErrors[code], nowMs),
	prepare(request, reply) {
		noteExpiry(request, reply);
		noteChangeId(request, reply);
	},
	headers: { ...EXPIRY_HEADERS, ...CHANGE_ID_HEADERS },
};

/** Answers a failure, with its usual message or one that says more. `data` of one that repeats a change: what it did. */
export function sendFailure(
	reply: FastifyReply,
	code: OperatorErrorCode,
	nowMs: number,
	{ message, data = null }: { readonly message?: string | undefined; readonly data?: DoneBefore | null } = {},
): FastifyReply {
	const description: ErrorDescription = operatorErrors[code];
	const described = message === undefined ? description : { ...description, message };
	return sendAnswer(reply, describedFailure(code, described, nowMs, data));
}
