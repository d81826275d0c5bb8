import type { FastifyRequest } from 'fastify';
import type { Program } from '../../domain/people/act.ts';
import type { ClientAddresses } from '../server/client-address.ts';

/** The program that asks, as it is recorded with what it changes. The request has been authenticated. */
export function askingProgram({ raw }: FastifyRequest, addressOf: ClientAddresses): Program {
	// The header of an authenticated request ends with its token.
	return { tokenTail: (raw.headers.authorization ?? '').slice(-4), address: addressOf(raw).text };
}
