import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../store/dashboard-reads.ts';
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

/** What a call is answered with. */
export type Reply<Data> = { readonly data: Data } | Refused;
