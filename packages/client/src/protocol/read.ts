import type { Account } from '../accounts.ts';
import { of, readAccount } from '../answers.ts';
import { UnknownSubUserError } from '../errors.ts';
import type { Call } from './call.ts';
import type { Exchange } from './exchange.ts';
import { errorOf, mayPass } from './reply.ts';

/**
 * Sends a request that changes nothing, and repeats it while that may help. `isPatient`: only the time of the call limits
 * the attempts, also if something before a service that is known answers instead of it.
 */
export async function read<Data>(call: Call, request: Exchange<Data>, isPatient = false): Promise<Data> {
	const mayTryAgain = call.attempts(isPatient);
	for (;;) {
		const reply = await call.send(request);
		if (reply.kind === 'answered') return reply.data;
		const isBehindPage = isPatient && reply.kind === 'lost' && call.service.isHonoured && !reply.failure.willNotPass;
		if (!(mayPass(reply.failure) || isBehindPage) || !(await mayTryAgain(reply))) throw errorOf(reply.failure);
	}
}

/** Throws `UnknownSubUserError` if the reseller has no such sub-user, also for an invalid username. */
export function retrieveSubUser(call: Call, username: string, isPatient = false): Promise<Account> {
	const readData = of(username, readAccount);
	return read(call, { operation: 'viewSubUser', body: { username }, readData }, isPatient);
}

/** The sub-user, or `undefined` if the reseller has no such sub-user. */
export async function findSubUser(call: Call, username: string): Promise<Account | undefined> {
	try {
		return await retrieveSubUser(call, username);
	} catch (error) {
		if (error instanceof UnknownSubUserError) return undefined;
		throw error;
	}
}
