import type { Account } from './accounts.ts';
import { of, readAccount } from './answers.ts';
import type { Call } from './call.ts';
import { UnknownSubUserError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { errorOf, mayPass } from './reply.ts';

/** Sends a request that changes nothing, and repeats it while that may help. */
export async function read<Data>(call: Call, request: Exchange<Data>): Promise<Data> {
	for (let attempt = 1; ; attempt++) {
		const reply = await call.send(request);
		if (reply.kind === 'answered') return reply.data;
		const { failure } = reply;
		if (!mayPass(failure) || !(await call.pauseAfter(attempt, failure))) throw errorOf(failure);
	}
}

/** Throws `UnknownSubUserError` if the reseller has no such sub-user, also for an invalid username. */
export function viewSubUser(call: Call, username: string): Promise<Account> {
	return read(call, { operation: 'viewSubUser', body: { username }, readData: of(username, readAccount) });
}

/** The sub-user, or `undefined` if the reseller has no such sub-user. */
export async function find(call: Call, username: string): Promise<Account | undefined> {
	try {
		return await viewSubUser(call, username);
	} catch (error) {
		if (error instanceof UnknownSubUserError) return undefined;
		throw error;
	}
}

/** Learns the time of the service's clock, which every answer tells. */
export async function askTime(call: Call): Promise<void> {
	await read(call, { operation: 'myInfo', readData: readAccount });
}

/** Whether the service records each change with its id. Asks if no answer has told it yet. */
export async function knowsChangeIds(call: Call): Promise<boolean> {
	if (call.changeIds.areHonoured === undefined) await askTime(call);
	return call.changeIds.areHonoured === true;
}
