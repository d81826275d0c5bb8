import type { ErrorDescription } from '@bursar/contract';
import type { PaymentProviderName } from '@bursar/contract/payments';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Hints } from '../../payments/hints.ts';
import { ForgedHintError } from '../../payments/provider.ts';
import { sendAnswer } from '../server/answers.ts';
import { limitBodies, rawBodyOf } from '../server/bodies/body.ts';
import { createBodyBudget } from '../server/bodies/body-budget.ts';
import type { ClientAddresses } from '../server/client-address.ts';
import { describedFailure, sendData, sendFailure } from '../server/envelope.ts';
import { createHintLimits } from './hint-limits.ts';

/** @bound Bytes of a hint of a payment provider: a longer one is answered 413. */
const MAX_BYTES = 256 * 1024;
/** @bound Bytes of hints above 16 KiB that are read at once, in total and from one address (IPv6, a /48): others are answered `unavailable`. */
const BYTES_AT_ONCE = { most: 8 << 20, mostOfOwner: 1 << 20 };
/** @bound Signed hints that a process works on at once: further hints are answered 429. */
const AT_ONCE = 64;

/** The failures that only hints have, or have in other words. */
const FAILURES = {
	forged_hint: { status: 400, message: 'the hint is not signed by the payment provider, or not just now' },
	too_many_hints: { status: 429, message: 'too many hints: send it again later', retryAfterSeconds: 3 },
	payload_too_large: { status: 413, message: `a hint has at most ${MAX_BYTES / 1024} KiB` },
	unsupported_media_type: { status: 415, message: 'a hint must be sent without a content encoding' },
} as const satisfies Record<string, ErrorDescription>;

export interface HintDependencies {
	readonly hints: Hints;
	readonly addressOf: ClientAddresses;
	/** Unix milliseconds. */
	readonly nowMs: () => number;
}

/**
 * Hints of payment providers that something about a payment has changed. They come from the internet, so nothing is done and
 * little is read before the signature is known. A hint is answered 200 once the reads that it causes are durable: it says
 * nothing itself. Providers look only at the status, and send again what is answered otherwise.
 */
export async function hintRoutes(app: FastifyInstance, { hints, addressOf, nowMs }: HintDependencies): Promise<void> {
	const limits = createHintLimits();
	let underWay = 0;
	limitBodies(app, MAX_BYTES, {
		budget: createBodyBudget(BYTES_AT_ONCE),
		ownerOf: ({ raw }) => addressOf(raw).site,
	});

	function refuse(reply: FastifyReply, code: keyof typeof FAILURES): FastifyReply {
		return sendAnswer(reply, describedFailure(code, FAILURES[code], nowMs()));
	}

	function refuseTooMany(reply: FastifyReply, provider: PaymentProviderName): FastifyReply {
		hints.ended(provider, 'too_many');
		return refuse(reply, 'too_many_hints');
	}

	async function takeHint(provider: PaymentProviderName, request: FastifyRequest, reply: FastifyReply) {
		const body = rawBodyOf(request);
		if ('refused' in body) {
			if (body.refused === 'payload_too_large') return refuse(reply, body.refused);
			if (body.refused === 'unavailable') request.unavailableBecause = 'asker';
			return sendFailure(reply, body.refused, nowMs());
		}
		const address = addressOf(request.raw);
		// Many may have begun to send before the first ones were refused.
		if (underWay >= AT_ONCE || limits.isBlocked(address)) return refuseTooMany(reply, provider);
		underWay++;
		try {
			const result = await hints.take(provider, { body: body.bytes, headers: request.headers });
			limits.noteSigned(address);
			hints.ended(provider, result);
			return sendData(reply, {}, nowMs());
		} catch (cause) {
			if (!(cause instanceof ForgedHintError)) throw cause;
			limits.countForged(address);
			hints.ended(provider, 'forged');
			return refuse(reply, 'forged_hint');
		} finally {
			underWay--;
		}
	}

	for (const provider of hints.providers) {
		const refuseEarly = async (request: FastifyRequest, reply: FastifyReply) => {
			if (limits.isBlocked(addressOf(request.raw))) return refuseTooMany(reply, provider);
			// A signature is of the bytes as they are sent, and nothing is unpacked before it is known.
			if (request.headers['content-encoding'] !== undefined) return refuse(reply, 'unsupported_media_type');
			return undefined;
		};
		app.post(`/payments/hints/${provider}`, { onRequest: refuseEarly }, (request, reply) =>
			takeHint(provider, request, reply),
		);
	}
}
