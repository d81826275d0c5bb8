import { CommandError } from '@bursar/terminal';
import { fieldOf } from '../expect.ts';
import type { ResellerApi } from '../wire/reseller-api.ts';
import type { Secrets } from '../wire/secrets.ts';
import { safeText } from './verdict.ts';

/** A reseller of the run, with its balance before it. */
export interface Account {
	readonly api: ResellerApi;
	readonly reseller: string;
	readonly beforeCents: number;
}

/** What a reseller had before and after the run. */
export interface AccountReport extends Omit<Account, 'api'> {
	/** `undefined` if it could not be read. */
	readonly afterCents: number | undefined;
}

/** Reads the name and the balance of a reseller, and spends nothing. Throws a `CommandError` if it cannot. */
export async function firstLook(api: ResellerApi, baseUrl: URL, secrets: Secrets): Promise<Account> {
	const where = `GET my_info at ${baseUrl.href}`;
	const answer = await api.myInfo().catch((error: Error) => {
		throw cannotRun(secrets.redact(`${where} was not answered: ${error.message}`));
	});
	if (answer.status === 401) throw cannotRun(`${where} was answered 401: the service does not know the token`);
	const reseller = fieldOf(answer.data, 'username');
	const beforeCents = fieldOf(answer.data, 'balance');
	if (typeof reseller !== 'string' || !Number.isSafeInteger(beforeCents)) {
		throw cannotRun(`${where} was answered ${answer.status}, without a username and a balance in its data`);
	}
	return { api, reseller, beforeCents: beforeCents as number };
}

export async function lastLook({ api, reseller, beforeCents }: Account, secrets: Secrets): Promise<AccountReport> {
	const afterCents = await api.balance().catch(() => undefined);
	// A wrong service may send the token as the name.
	return { reseller: safeText(reseller, secrets), beforeCents, afterCents };
}

/** The service cannot be reached, does not know the token, or the tokens are of no use for a run. */
export function cannotRun(message: string): CommandError {
	return new CommandError('cannot_run', message);
}
