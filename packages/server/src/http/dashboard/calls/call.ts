import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../../store/dashboard-reads.ts';
import type { Refused } from './refusals.ts';

/** A request to one of the calls. */
export interface Question {
	readonly request: FastifyRequest;
	readonly reply: FastifyReply;
}

/** The same from somebody who is signed in. */
export interface PersonsQuestion extends Question {
	readonly asker: SignedIn;
}

/** The reseller of the person who asks. Only calls for resellers' people may ask for it. */
export function resellerOf({ asker }: Pick<PersonsQuestion, 'asker'>): string {
	const { reseller } = asker.record.person;
	if (reseller === null) throw new Error('a call of resellers was reached by an operator');
	return reseller;
}

/** What a call is answered with. */
export type Reply<Data> = { readonly data: Data } | Refused;
