import { moneyTarget } from '@bursar/contract/dashboard';
import { createBank } from '../../bank/bank.ts';
import { runVerification } from '../../bank/run-verification.ts';
import type { InvitePerson } from '../../commands/people/invite.ts';
import { type Command, verbOf } from '../../commands/registry.ts';
import { mayGive } from '../../commands/rights.ts';
import { hashSecret, newEdgeKey, newId, newLink, newPassword, newProxyAuthkey, newToken } from '../../credentials.ts';
import type { Session } from '../../domain/people/person.ts';
import { startOfDayMs, usageShownDays } from '../../domain/usage.ts';
import type { Store } from '../../store/store.ts';
import type { Session as CommandSession } from '../session.ts';
import { create, credit, demoBusiness, EDGES, give, OTHERS, SUB_USERS } from './business.ts';
import { demoRefusals } from './refusals.ts';

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
type NewToken = Omit<ReturnType<typeof newToken>, 'token'>;

/**
 * Creates, in an empty store, a reseller with months of business and a person who can sign in, and a small second
 * reseller. The ledger was verified once.
 */
export async function createDemo({ bank, store }: Pick<CommandSession, 'bank' | 'store'>): Promise<Demo> {
	const { hashPassword } = await import('../../passwords.ts');
	const { token, ...kept } = newToken();
	const password = newPassword();
	await playBusiness(store, kept, await hashPassword(password));
	const id = newId();
	succeeded(await bank.changePerson({ kind: 'begin_verification', id }));
	await runVerification({ store, bank }, id);
	return {
		reseller: DEMO_RESELLER,
		token,
		person: { email: EMAIL, password, linkSecret: await invite(bank, 'sign_in') },
	};
}

/** Writes the business of months with a bank whose clock goes from hour to hour. */
async function playBusiness(store: Store, { tokenHash, tokenTail }: NewToken, passwordHash: string): Promise<void> {
	const nowMs = store.nowMs();
	const days = usageShownDays(nowMs);
	let clockMs = startOfDayMs(days.firstDay);
	const faults: unknown[] = [];
	const observer = { batchDone() {}, fault: (cause: unknown) => void faults.push(cause) };
	const bank = createBank({ ...store, nowMs: () => clockMs }, { observer });
	/** Of the edges that were made here, and not by an operator. */
	const checks = new Map<string, number>();
	try {
		await openResellers(bank, { tokenHash, tokenTail });
		for (const name of EDGES) {
			const { keyHash, keyTail } = newEdgeKey();
			if ((await bank.changePerson({ kind: 'create_edge', name, keyHash, keyTail })).ok) checks.set(name, 0);
		}
		const person = await acceptInvitation(bank, passwordHash);
		for await (const { atMs, commands, isByPerson, reports = [] } of demoBusiness(store, DEMO_RESELLER, days, nowMs)) {
			clockMs = atMs;
			const session = isByPerson ? await signIn(bank, person, passwordHash) : undefined;
			await submitAll(
				bank,
				commands.map((command) => signed(command, session ?? tokenTail)),
			);
			if (session) await signOut(bank, session);
			if (reports.length > 0) succeeded(await bank.recordUsage('demo', reports));
			// An edge checks a pair before it reports what was used.
			for (const { edge } of reports.filter((report) => 'counter' in report)) {
				if (checks.has(edge)) checks.set(edge, (checks.get(edge) ?? 0) + 1);
			}
		}
		succeeded(await bank.keep({ kind: 'token_use', hash: tokenHash, usedAtMs: nowMs }));
		const edges = [...checks.keys()];
		for (const refused of await demoRefusals(store, { reseller: DEMO_RESELLER, usernames: SUB_USERS, edges, nowMs })) {
			succeeded(await bank.keep({ kind: 'refused_on_edge', ...refused }));
		}
		for (const [name, count] of checks) {
			// Its host does not exist. Without a key, it does not count as silent later.
			succeeded(await bank.keep({ kind: 'edge_use', name, seenAtMs: nowMs, checks: count, refusals: 0 }));
			succeeded(await bank.changePerson({ kind: 'revoke_edge', name }));
		}
	} catch (error) {
		throw faults.length > 0 ? new Error('the demo data could not be written', { cause: faults[0] }) : error;
	} finally {
		await bank.stop();
	}
}

/** Opens both resellers, the small one with all its business. */
async function openResellers(bank: DemoBank, token: NewToken): Promise<void> {
	const opening = (reseller: string, { tokenHash, tokenTail }: NewToken): Command => ({
		...{ kind: 'create_reseller', reseller, requestId: newId(), proxyAuthkey: newProxyAuthkey(), tokenHash, tokenTail },
		...{ madeBy: 'operator', openingBalanceCents: 0 },
	});
	await submitAll(bank, [opening(DEMO_RESELLER, token), opening(SMALL_RESELLER, newToken())]);
	await submitAll(bank, [
		credit(SMALL_RESELLER, 100_00, 'demo-invoice-harbor'),
		...OTHERS.flatMap((username) => [create(SMALL_RESELLER, username), give(SMALL_RESELLER, username, 12_50)]),
	]);
}

/** With the person or the program that gives it. The other commands are of operators and of the service. */
function signed(command: Command, by: Session | string): Command {
	if (!mayGive(OWNER, verbOf(command).calls, command.reseller)) return command;
	if (typeof by === 'string') return { ...command, program: { tokenTail: by, address: '192.0.2.40' } };
	const { kind, requestId } = command;
	const { person, id: session, address } = by;
	const done = { kind: kind === 'create_sub_user_with' ? 'create_sub_user' : kind, target: targetOf(command) };
	return { ...command, act: { id: newId(), ...done, requestId, person, session, address } };
}

/** As the dashboard names what its acts are about. */
function targetOf(command: Command): string {
	if (command.kind === 'give_balance' || command.kind === 'take_balance') {
		return moneyTarget(command.username, command.amountCents);
	}
	return ('username' in command && command.username) || '';
}

/** One create is refused on purpose. */
async function submitAll(bank: DemoBank, commands: readonly Command[]): Promise<void> {
	for (const outcome of await Promise.all(commands.map((command) => bank.submit(command)))) {
		if (outcome.ok || outcome.error !== 'username_taken') succeeded(outcome);
	}
}

/** Makes the person of the demo. Returns its id. */
async function acceptInvitation(bank: DemoBank, passwordHash: string): Promise<string> {
	const linkHash = hashSecret(await invite(bank, 'set_password'));
	const accepted = { kind: 'accept_invitation', linkHash, passwordHash, ...newSession() } as const;
	return succeeded(await bank.changePerson(accepted)).session.person;
}

async function signIn(bank: DemoBank, person: string, passwordHash: string): Promise<Session> {
	const factor = { kind: 'password', passwordHash } as const;
	return succeeded(await bank.changePerson({ kind: 'sign_in', person, factor, forgives: [], ...newSession() })).session;
}

function newSession() {
	const session = {
		id: newId(),
		hash: hashSecret(newLink().secret),
		browser: 'Firefox on Linux',
		address: '192.0.2.17',
	};
	return { session, actId: newId(), requestId: newId() };
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
