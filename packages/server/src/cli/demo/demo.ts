import { randomUUID } from 'node:crypto';
import { createBank } from '../../bank/bank.ts';
import { runVerification } from '../../bank/run-verification.ts';
import { USAGE_STEP } from '../../bank/usage-commit.ts';
import type { InvitePerson } from '../../commands/people/invite.ts';
import { type Command, verbOf } from '../../commands/registry.ts';
import { mayGive } from '../../commands/rights.ts';
import { hashSecret, newId, newLink, newPassword, newProxyAuthkey, newToken } from '../../credentials.ts';
import type { PersonAct, Program } from '../../domain/people/act.ts';
import type { Session } from '../../domain/people/person.ts';
import { startOfDayMs, usageShownDays } from '../../domain/usage.ts';
import type { Store } from '../../store/store.ts';
import type { Session as CommandSession } from '../session.ts';
import { type DemoHour, demoBusiness, smallBusiness } from './business.ts';

export interface Demo {
	readonly reseller: string;
	readonly token: string;
	readonly person: DemoPerson;
}

/** The person who can sign in for the demo reseller. */
export interface DemoPerson {
	readonly email: string;
	/** Absent if it was shown before. */
	readonly password?: string;
	/** The secret of a link that signs in. */
	readonly linkSecret: string;
}

export const DEMO_RESELLER = 'demo.reseller';
const OWNER = { reseller: DEMO_RESELLER, role: 'owner' } as const;
/** Its name comes after the other one, which is the reseller that `bursar dev` tells of. */
const SMALL_RESELLER = 'harbor.proxies';
const EMAIL = 'demo@bursar.localhost';

type DemoBank = CommandSession['bank'];

/**
 * Creates, in an empty store, a reseller with months of business and a person who can sign in, and a small second
 * reseller. The ledger was verified once.
 */
export async function createDemo({ bank, store }: Pick<CommandSession, 'bank' | 'store'>): Promise<Demo> {
	const { hashPassword } = await import('../../passwords.ts');
	const { token, ...kept } = newToken();
	const password = newPassword();
	const passwordHash = await hashPassword(password);
	const requestId = `demo-${randomUUID()}`;
	const nowMs = store.nowMs();
	const span = usageShownDays(nowMs);
	await inThePast(store, async (past, setClock) => {
		setClock(startOfDayMs(span.firstDay));
		await submitAll(past, [opening(DEMO_RESELLER, requestId, kept), opening(SMALL_RESELLER, requestId, newToken())]);
		await submitAll(past, smallBusiness({ reseller: SMALL_RESELLER, requestId: `${requestId}-small` }));
		const person = await acceptInvitation(past, passwordHash);
		const program = { tokenTail: kept.tokenTail, address: '192.0.2.40' };
		for (const hour of demoBusiness({ reseller: DEMO_RESELLER, requestId }, span, nowMs)) {
			setClock(hour.atMs);
			await playHour(past, hour, { person, passwordHash, program });
		}
	});
	const id = newId();
	succeeded(await bank.changePerson({ kind: 'begin_verification', id }));
	await runVerification({ store, bank }, id);
	const person = { email: EMAIL, password, linkSecret: await invite(bank, 'sign_in') };
	return { reseller: DEMO_RESELLER, token, person };
}

function opening(
	reseller: string,
	requestId: string,
	{ tokenHash, tokenTail }: Pick<ReturnType<typeof newToken>, 'tokenHash' | 'tokenTail'>,
): Command {
	return {
		...{ kind: 'create_reseller', reseller, requestId, proxyAuthkey: newProxyAuthkey(), tokenHash, tokenTail },
		...{ madeBy: 'operator', openingBalanceCents: 0 },
	};
}

interface Worker {
	/** The id of the person. */
	readonly person: string;
	readonly passwordHash: string;
	/** The program of the reseller. */
	readonly program: Program;
}

async function playHour(
	bank: DemoBank,
	{ commands, isByPerson = false, reports = [] }: DemoHour,
	worker: Worker,
): Promise<void> {
	const { program } = worker;
	if (!isByPerson)
		await submitAll(
			bank,
			commands.map((command) =>
				mayGive(OWNER, verbOf(command).calls, command.reseller) ? { ...command, program } : command,
			),
		);
	else
		await atWork(bank, worker, (actOf) =>
			submitAll(
				bank,
				commands.map((command) => ({ ...noted(command), act: actOf(command) })),
			),
		);
	for (let start = 0; start < reports.length; start += USAGE_STEP) {
		succeeded(await bank.recordUsage('demo', reports.slice(start, start + USAGE_STEP)));
	}
}

/** A person says why. */
function noted(command: Command): Command {
	switch (command.kind) {
		case 'give_balance':
			return { ...command, note: 'Asked for more by mail' };
		case 'take_balance':
			return { ...command, note: 'Project has ended' };
		default:
			return command;
	}
}

async function submitAll(bank: DemoBank, commands: readonly Command[]): Promise<void> {
	for (const outcome of await Promise.all(commands.map((command) => bank.submit(command)))) succeeded(outcome);
}

/** Gives `work` a bank whose clock it sets, in Unix milliseconds. */
async function inThePast(store: Store, work: (bank: DemoBank, setClock: (atMs: number) => void) => Promise<void>) {
	let clockMs = 0;
	const { runCommands, runPersonCommands, recordUsage, writeRecords, maxWaitMs, batchesAtOnce } = store;
	const past = {
		runCommands,
		runPersonCommands,
		recordUsage,
		writeRecords,
		maxWaitMs,
		batchesAtOnce,
		nowMs: () => clockMs,
	};
	let fault: unknown;
	const bank = createBank(past, {
		observer: {
			batchDone() {},
			fault(cause) {
				fault = cause;
			},
		},
	});
	try {
		await work(bank, (atMs) => {
			clockMs = atMs;
		});
	} catch (error) {
		throw fault === undefined ? error : new Error('the demo data could not be written', { cause: fault });
	} finally {
		await bank.stop();
	}
}

/** Makes the person of the demo. Returns its id. */
async function acceptInvitation(bank: DemoBank, passwordHash: string): Promise<string> {
	const linkHash = hashSecret(await invite(bank, 'set_password'));
	const accepted = {
		kind: 'accept_invitation',
		linkHash,
		passwordHash,
		session: newSession(),
		...newRequest(),
	} as const;
	const { session } = succeeded(await bank.changePerson(accepted));
	await signOut(bank, session);
	return session.person;
}

/**
 * Does some work in a session of the person of the demo, and ends the session. `actOf` makes the act of a command. It
 * returns `undefined` for a command that only operators may give.
 */
async function atWork(
	bank: DemoBank,
	{ person, passwordHash }: Worker,
	work: (actOf: (command: Command) => PersonAct | undefined) => Promise<void>,
): Promise<void> {
	const factor = { kind: 'password', passwordHash } as const;
	const signIn = { kind: 'sign_in', person, factor, session: newSession(), forgives: [], ...newRequest() } as const;
	const { session } = succeeded(await bank.changePerson(signIn));
	const by = { person: session.person, session: session.id, address: session.address };
	await work((command) => {
		if (!mayGive(OWNER, verbOf(command).calls, command.reseller)) return undefined;
		const target = ('username' in command && command.username) || '';
		return { ...by, id: newId(), kind: command.kind, target, requestId: command.requestId };
	});
	await signOut(bank, session);
}

function newSession() {
	return { id: newId(), hash: hashSecret(newLink().secret), browser: 'Firefox on Linux', address: '192.0.2.17' };
}

function newRequest() {
	return { actId: newId(), requestId: `demo-${randomUUID()}` };
}

async function signOut(bank: DemoBank, { person, hash }: Session): Promise<void> {
	succeeded(await bank.changePerson({ kind: 'sign_out', person, sessionHash: hash }));
}

/**
 * Makes a new link for the person of the demo. `undefined` if that person does not exist, is not of the demo reseller, or
 * is locked.
 */
export async function signDemoPersonIn({
	bank,
	store,
}: Pick<CommandSession, 'bank' | 'store'>): Promise<DemoPerson | undefined> {
	const record = await store.findPersonByEmail(EMAIL);
	if (record?.person.reseller !== DEMO_RESELLER || record.person.lockedAtMs !== null) return undefined;
	return { email: EMAIL, linkSecret: await invite(bank, 'sign_in') };
}

/** Returns the secret of a new link. */
async function invite(bank: DemoBank, purpose: InvitePerson['purpose']): Promise<string> {
	const { secret, linkHash } = newLink();
	const id = newId();
	succeeded(await bank.changePerson({ kind: 'invite_person', id, email: EMAIL, ...OWNER, linkHash, purpose }));
	return secret;
}

function succeeded<Outcome extends { readonly ok: boolean }>(outcome: Outcome): Extract<Outcome, { ok: true }> {
	if (!outcome.ok) throw new Error('the demo data could not be written');
	return outcome as Extract<Outcome, { ok: true }>;
}
