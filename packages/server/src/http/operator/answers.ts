import type { ErrorDescription } from '@bursar/contract';
import { type OperatorErrorCode, operatorErrors } from '@bursar/contract/operator';
import type { FastifyReply } from 'fastify';
import { type ListenerAnswers, sendAnswer } from '../server/answers.ts';
import { CHANGE_ID_HEADERS, noteChangeId } from '../server/change-id.ts';
import { describedFailure } from '../server/envelope.ts';
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

/** Answers a failure, with its usual message or one that says more. `nowMs` in Unix milliseconds. */
export function sendFailure(
	reply: FastifyReply,
	code: OperatorErrorCode,
	nowMs: number,
	message?: string,
): FastifyReply {
	const description: ErrorDescription = operatorErrors[code];
	return sendAnswer(
		reply,
		describedFailure(code, message === undefined ? description : { ...description, message }, nowMs),
	);
}
