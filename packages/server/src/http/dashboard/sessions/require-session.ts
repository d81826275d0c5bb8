import { PERSON_HEADER, personHeader, type Right, refusalOfRight } from '@bursar/contract/dashboard';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lacksSecondFactor, provenUntilMs } from '../../../domain/people/person.ts';
import type { SignedIn } from '../../../store/tables/people/reads.ts';
import { sendRefusal } from '../calls/refusals.ts';
import type { Sessions } from './sessions.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** The person who makes the call, if only signed-in people may make it. */
		caller: SignedIn | undefined;
	}
}

/** Lets only those through who are signed in, and have the right to the call. Runs before the body is read. */
export function requireSession(
	{ sessions, nowMs }: { readonly sessions: Pick<Sessions, 'find'>; readonly nowMs: () => number },
	{ right, proof = false }: { readonly right: Right; readonly proof?: boolean },
) {
	return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
		const caller = await sessions.find(request);
		if (!caller || isForAnother(request, caller)) return sendRefusal(reply, { refused: 'signed_out' }, nowMs());
		if (right !== 'factors' && lacksSecondFactor(caller.record)) {
			return sendRefusal(reply, { refused: 'second_factor_required' }, nowMs());
		}
		const refused = refusalOfRight(caller.record.person, right);
		if (refused) return sendRefusal(reply, { refused }, nowMs());
		if (proof && provenUntilMs(caller.session, nowMs()) === null) {
			return sendRefusal(reply, { refused: 'proof_required' }, nowMs());
		}
		request.caller = caller;
		return undefined;
	};
}

/** Whether the page shows another person, because another one has signed in since, in another window of the browser. */
function isForAnother(request: FastifyRequest, { record }: SignedIn): boolean {
	const shown = request.headers[PERSON_HEADER];
	return shown !== undefined && shown !== personHeader(record.person.email);
}
