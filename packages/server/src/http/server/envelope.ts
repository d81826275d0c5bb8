import { describedFailureEnvelope, type ErrorCode, type ErrorDescription, errors } from '@bursar/contract';
import type { FastifyReply } from 'fastify';
import { type Answer, sendAnswer } from './answers.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers 200 with the data in the envelope. `nowMs` in Unix milliseconds. */
export function sendData(reply: FastifyReply, data: unknown, nowMs: number): FastifyReply {
	return sendDataText(reply, JSON.stringify(data), nowMs);
}

/** The same for data that is JSON text already. */
export function sendDataText(reply: FastifyReply, data: string, nowMs: number): FastifyReply {
	const seconds = Math.floor(nowMs / 1000);
	// `successEnvelope` as text.
	const envelope = `{"status":200,"message":"","timestamp":${seconds},"data":${data}}`;
	return reply.header('content-type', JSON_TYPE).send(envelope);
}

/** What the change did that a request repeats. Each audience has its own form. */
export interface DoneBefore {
	readonly change: object;
}

/** Answers a failure in the envelope, with its usual message or one that says more. `nowMs` in Unix milliseconds. */
export function sendFailure(reply: FastifyReply, code: ErrorCode, nowMs: number, message?: string): FastifyReply {
	const description = message === undefined ? errors[code] : { ...errors[code], message };
	return sendAnswer(reply, describedFailure(code, description, nowMs));
}

/** The same for the only failure that has data. */
export function sendRepeatedChange(reply: FastifyReply, data: DoneBefore, nowMs: number): FastifyReply {
	return sendAnswer(reply, describedFailure('change_repeated', errors.change_repeated, nowMs, data));
}

/** A failure in the envelope: its status, its code in a header, its message. `nowMs` in Unix milliseconds. */
export function failureAnswer(code: ErrorCode, nowMs: number): Answer {
	return describedFailure(code, errors[code], nowMs);
}

/** The same for a failure that an audience describes itself. */
export function describedFailure(
	code: string,
	description: ErrorDescription,
	nowMs: number,
	data: DoneBefore | null = null,
): Answer {
	const { status, retryAfterSeconds } = description;
	return {
		status,
		headers: {
			'content-type': JSON_TYPE,
			'x-error-code': code,
			...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
		},
		body: JSON.stringify(describedFailureEnvelope(description, nowMs, data)),
	};
}
