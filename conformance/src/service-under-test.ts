import { randomInt } from 'node:crypto';
import { CommandError } from '@bursar/terminal';
import { createWatch } from './answer-watch.ts';
import { fieldOf } from './expect.ts';
import { type AccountReport, type SpendingReport, safeText } from './report.ts';
import { createResellerApi, type ResellerApi } from './reseller-api.ts';
import { answerRules } from './rules/answer-rules.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createSession, type Session } from './session.ts';
import { createSpending } from './spending.ts';
import { createSubUsers } from './sub-users.ts';
import { createWire } from './wire.ts';

/** The service, the tokens for it, and how the suite may test it. */
export interface ServiceUnderTest {
	readonly baseUrl: URL;
	readonly token: string;
	/** The token of another reseller. */
	readonly secondToken: string | undefined;
	/** Whether no proxy in front of the service answers requests itself. */
	readonly isDirect: boolean;
	/** Whether rules that take a minute are tested. */
	readonly isPatient: boolean;
	/** Ends the run at once: breaks off calls in progress, and leaves balance on the sub-users. */
	readonly abandon: AbortSignal;
	/** Shows a progress line during the run. */
	readonly say: (line: string) => void;
}

export interface OpenedRun {
	readonly session: Session;
	readonly secrets: Secrets;
	/** The resellers with their balances before the run. */
	readonly accounts: readonly [Account, ...Account[]];
	readonly say: (line: string) => void;
	/** Takes back the balance of sub-users. Gives what is left on them, and the balances of the resellers. */
	lastLook(): Promise<Pick<SpendingReport, 'accounts' | 'prefix' | 'leftBehind'>>;
}

interface Account extends Pick<AccountReport, 'reseller' | 'beforeCents'> {
	readonly api: ResellerApi;
}

/** Reads the names and balances of the resellers, and spends nothing. Throws a `CommandError` if it cannot. */
export async function openRun(service: ServiceUnderTest): Promise<OpenedRun> {
	const { baseUrl, token, secondToken, abandon } = service;
	const tokens = secondToken === undefined ? [token] : [token, secondToken];
	const secrets = createSecrets(tokens);
	const say = (line: string) => service.say(safeText(line, secrets));
	const watch = createWatch(answerRules, tokens);
	const spending = createSpending();
	const wire = createWire({ baseUrl, secrets, spending, watch, abandon });
	const look = (token: string) => firstLook(createResellerApi(wire, token), baseUrl, secrets);
	const account = await look(token);
	const second = secondToken === undefined ? undefined : await look(secondToken);
	if (account.reseller === second?.reseller) {
		throw cannotRun('both tokens belong to the same reseller: give the token of another one');
	}
	const accounts = [account, ...(second ? [second] : [])] as const;
	const subUsers = createSubUsers(newPrefix(), say);
	const { isDirect, isPatient } = service;
	return {
		session: createSession({ baseUrl, wire, watch, spending, subUsers, account, second, isDirect, isPatient }),
		secrets,
		accounts,
		say,
		lastLook: async () => ({
			leftBehind: await subUsers.takeBack(),
			accounts: await Promise.all(accounts.map((account) => lastLook(account, secrets))),
			prefix: subUsers.prefix,
		}),
	};
}

async function firstLook(api: ResellerApi, baseUrl: URL, secrets: Secrets): Promise<Account> {
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

/** The service cannot be reached, or does not know the token. */
function cannotRun(message: string): CommandError {
	return new CommandError('cannot_run', message);
}

async function lastLook({ api, reseller, beforeCents }: Account, secrets: Secrets): Promise<AccountReport> {
	const afterCents = await api.balance().catch(() => undefined);
	// A wrong service may send the token as the name.
	return { reseller: safeText(reseller, secrets), beforeCents, afterCents };
}

/** Names with this prefix show where they come from, and are very likely unused. */
function newPrefix(): string {
	const random = randomInt(36 ** 6).toString(36);
	return `conf${random.padStart(6, '0')}`;
}
