import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../../store/tables/people/reads.ts';
import type { Refused } from './refusals.ts';

/** A call that a page has made. */
export interface Call {
	readonly request: FastifyRequest;
	readonly reply: FastifyReply;
}

/** A call from a person who is signed in. */
export interface PersonCall extends Call {
	readonly caller: SignedIn;
}

/** The reseller of the caller. Only for calls of resellers' people. */
export function resellerOf({ caller }: Pick<PersonCall, 'caller'>): string {
	const { reseller } = caller.record.person;
	if (reseller === null) throw new Error('a call of resellers was reached by an operator');
	return reseller;
}

/** What a call is answered with. */
export type Reply<Data> = { readonly data: Data } | Refused;
