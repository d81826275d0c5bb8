import { PERSON_HEADER, personHeader } from '@bursar/contract/dashboard';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lacksSecondFactor, provenUntilMs } from '../../../domain/people/person.ts';
import type { SignedIn } from '../../../store/reads/dashboard-reads.ts';
import { sendRefusal } from '../calls/refusals.ts';
import type { Sessions } from './sessions.ts';

declare module 'fastify' {
	interface FastifyRequest {
		/** Who makes the call, if it needs somebody who is signed in. */
		caller: SignedIn | undefined;
	}
}

export interface PersonNeeds {
	/** Whose call it is. Absent: everybody's who is signed in. */
	readonly role?: 'reseller' | 'operator';
	/** Also for operators who have no second factor yet, so that they can add one. */
	readonly withoutFactor?: boolean;
}

/** Lets only those through who are signed in, and may do what the call does. Runs before the body is read. */
export function requireSession(
	{ sessions, nowMs }: { readonly sessions: Pick<Sessions, 'find'>; readonly nowMs: () => number },
	{ role, withoutFactor = false, proof = false }: PersonNeeds & { readonly proof?: boolean },
) {
	return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
		const caller = await sessions.find(request);
		if (!caller || isForAnother(request, caller)) return sendRefusal(reply, { refused: 'signed_out' }, nowMs());
		if (!withoutFactor && lacksSecondFactor(caller.record)) {
			return sendRefusal(reply, { refused: 'second_factor_required' }, nowMs());
		}
		const refused = role && refusedRole(role, caller);
		if (refused) return sendRefusal(reply, { refused }, nowMs());
		if (proof && provenUntilMs(caller.session, nowMs()) === null) {
			return sendRefusal(reply, { refused: 'proof_required' }, nowMs());
		}
		request.caller = caller;
		return undefined;
	};
}

/** Whether the page shows another person: somebody else has signed in since, in another window of the browser. */
function isForAnother(request: FastifyRequest, { record }: SignedIn): boolean {
	const shown = request.headers[PERSON_HEADER];
	return shown !== undefined && shown !== personHeader(record.person.email);
}

function refusedRole(
	role: 'reseller' | 'operator',
	{ record }: SignedIn,
): 'not_for_operators' | 'only_for_operators' | undefined {
	const isOperator = record.person.reseller === null;
	if (role === 'reseller') return isOperator ? 'not_for_operators' : undefined;
	return isOperator ? undefined : 'only_for_operators';
}
