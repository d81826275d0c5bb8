import { type ErrorCode, errors } from '@bursar/contract';
import type { FastifyReply } from 'fastify';
import type { Refusal } from '../../domain/command.ts';
import { sendFailure } from '../server/envelope.ts';

/** Answers a command that was refused. Throws where it was refused as only the operator's commands are. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal, nowMs: number): FastifyReply {
	if (!isWireCode(refusal.error)) throw new Error(`a reseller's command was refused as ${refusal.error}`);
	return sendFailure(reply, refusal.error, nowMs);
}

function isWireCode(code: Refusal['error']): code is ErrorCode {
	return code in errors;
}
