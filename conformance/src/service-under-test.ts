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

/** Where the service is, who asks, and what can be asked of it. */
export interface ServiceUnderTest {
	readonly baseUrl: URL;
	readonly token: string;
	/** Of another reseller. */
	readonly secondToken: string | undefined;
	/** Whether nothing in front of the service answers in its place. */
	readonly isDirect: boolean;
	/** Whether rules that take a minute are tested. */
	readonly isPatient: boolean;
	/** Ends the run at once: what is under way is broken off, and what sub-users hold stays there. */
	readonly abandon: AbortSignal;
	/** Words for people while it runs. */
	readonly say: (line: string) => void;
}

export interface OpenedRun {
	readonly session: Session;
	readonly secrets: Secrets;
	/** The resellers as they were before the run. */
	readonly accounts: readonly [Account, ...Account[]];
	readonly say: (line: string) => void;
	/** Takes back what sub-users hold. Gives what is left on them, and what the resellers have now. */
	lastLook(): Promise<Pick<SpendingReport, 'accounts' | 'prefix' | 'leftBehind'>>;
}

interface Account extends Pick<AccountReport, 'reseller' | 'beforeCents'> {
	readonly api: ResellerApi;
}

/** Looks who asks and what they have, and spends nothing. Throws a `CommandError` if that cannot be learned. */
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
		throw cannotRun('both tokens are of the same reseller: the second one must be of another');
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

/** The service is not there, or does not know the token. */
function cannotRun(message: string): CommandError {
	return new CommandError('cannot_run', message);
}

async function lastLook({ api, reseller, beforeCents }: Account, secrets: Secrets): Promise<AccountReport> {
	const afterCents = await api.balance().catch(() => undefined);
	// The service says what the name is, and a wrong one may say the token.
	return { reseller: safeText(reseller, secrets), beforeCents, afterCents };
}

/** Names that begin with it can be recognised for what they are, and nobody has them yet. */
function newPrefix(): string {
	const random = randomInt(36 ** 6).toString(36);
	return `conf${random.padStart(6, '0')}`;
}
