import type { Account } from './accounts.ts';
import { of, readAccount } from './answers.ts';
import type { Call } from './call.ts';
import { UnknownSubUserError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { errorOf, mayPass } from './reply.ts';

/** Sends a request that changes nothing, again and again if that may help. */
export async function read<Data>(call: Call, request: Exchange<Data>): Promise<Data> {
	for (let attempt = 1; ; attempt++) {
		const reply = await call.send(request);
		if (reply.kind === 'answered') return reply.data;
		const { failure } = reply;
		if (!mayPass(failure) || !(await call.pauseAfter(attempt, failure))) throw errorOf(failure);
	}
}

/** Throws `UnknownSubUserError` if there is none of that name, whatever its form. */
export function viewSubUser(call: Call, username: string): Promise<Account> {
	return read(call, { operation: 'viewSubUser', body: { username }, readData: of(username, readAccount) });
}

/** The same, or `undefined` if there is none of that name. */
export async function find(call: Call, username: string): Promise<Account | undefined> {
	try {
		return await viewSubUser(call, username);
	} catch (error) {
		if (error instanceof UnknownSubUserError) return undefined;
		throw error;
	}
}

/** Asks the service for anything: the answer tells the time. */
export async function askTime(call: Call): Promise<void> {
	await read(call, { operation: 'myInfo', readData: readAccount });
}
