import type { FastifyReply, FastifyRequest } from 'fastify';
import { lacksSecondFactor, provenUntilMs } from '../../domain/people/person.ts';
import type { SignedIn } from '../../store/dashboard-reads.ts';
import { sendRefusal } from './refusals.ts';
import type { Sessions } from './sessions.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Who asks, if the call needs somebody who is signed in. */
		asker: SignedIn | undefined;
	}
}

export interface PersonNeeds {
	/** Also for operators who have no second factor yet, so that they can add one. */
	readonly withoutFactor?: boolean;
}

/** Lets only those through who are signed in, and may do what the call does. Runs before the body is read. */
export function requireSession(
	{ sessions, nowMs }: { readonly sessions: Pick<Sessions, 'find'>; readonly nowMs: () => number },
	{ withoutFactor = false, proof = false }: PersonNeeds & { readonly proof?: boolean },
) {
	return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
		const asker = await sessions.find(request);
		if (!asker) return sendRefusal(reply, { refused: 'signed_out' }, nowMs());
		if (!withoutFactor && lacksSecondFactor(asker.record)) {
			return sendRefusal(reply, { refused: 'second_factor_required' }, nowMs());
		}
		if (proof && provenUntilMs(asker.session, nowMs()) === null) {
			return sendRefusal(reply, { refused: 'proof_required' }, nowMs());
		}
		request.asker = asker;
		return undefined;
	};
}
