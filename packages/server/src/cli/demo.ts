import { randomUUID } from 'node:crypto';
import { createBank } from '../bank/bank.ts';
import { USAGE_STEP } from '../bank/usage-commit.ts';
import { hashSecret, newId, newLink, newPassword, newProxyAuthkey, newToken } from '../credentials.ts';
import type { Command } from '../domain/command.ts';
import type { InvitePerson } from '../domain/people/person-command.ts';
import { startOfDayMs, usageShownDays } from '../domain/usage.ts';
import type { Store } from '../store/store.ts';
import { type DemoHour, demoBusiness } from './demo-business.ts';
import type { Session } from './session.ts';

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

const RESELLER = 'demo.reseller';
const EMAIL = 'demo@bursar.localhost';

/** Creates, in an empty store, a reseller with months of business, and a person who can sign in. */
export async function createDemo({ bank, store }: Pick<Session, 'bank' | 'store'>): Promise<Demo> {
	const { token, ...kept } = newToken();
	const requestId = `demo-${randomUUID()}`;
	const nowMs = store.nowMs();
	const span = usageShownDays(nowMs);
	const { hours, reports } = demoBusiness({ reseller: RESELLER, requestId }, span, nowMs);
	await inThePast(store, async (submit) => {
		const opening: Command = {
			...{ kind: 'create_reseller', reseller: RESELLER, requestId, proxyAuthkey: newProxyAuthkey(), ...kept },
			...{ madeBy: 'operator', openingBalanceCents: 0 },
		};
		await submit({ atMs: startOfDayMs(span.firstDay), commands: [opening] });
		for (const hour of hours) await submit(hour);
	});
	for (let start = 0; start < reports.length; start += USAGE_STEP) {
		succeeded(await bank.recordUsage('demo', reports.slice(start, start + USAGE_STEP)));
	}
	return { reseller: RESELLER, token, person: await createPerson(bank) };
}

/** Gives `work` a bank whose clock shows the time of each hour. */
async function inThePast(store: Store, work: (submit: (hour: DemoHour) => Promise<void>) => Promise<void>) {
	let clockMs = 0;
	const { runCommands, runPersonCommands, recordUsage, maxWaitMs, batchesAtOnce } = store;
	const past = { runCommands, runPersonCommands, recordUsage, maxWaitMs, batchesAtOnce, nowMs: () => clockMs };
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
		await work(async ({ atMs, commands }) => {
			clockMs = atMs;
			const outcomes = await Promise.all(commands.map((command) => bank.submit(command)));
			if (!outcomes.every(({ ok }) => ok)) throw new Error('the demo data could not be written', { cause: fault });
		});
	} finally {
		await bank.stop();
	}
}

/** Makes a new link for the person of the demo. `undefined` if there is none, or who is locked. */
export async function signDemoPersonIn({
	bank,
	store,
}: Pick<Session, 'bank' | 'store'>): Promise<DemoPerson | undefined> {
	const record = await store.findPersonByEmail(EMAIL);
	if (record?.person.reseller !== RESELLER || record.person.lockedAtMs !== null) return undefined;
	return { email: EMAIL, linkSecret: await invite(bank, 'sign_in') };
}

/** Sets a password as a person does: with a link. The session that the link gives is ended at once. */
async function createPerson(bank: Session['bank']): Promise<DemoPerson> {
	const { hashPassword } = await import('../passwords.ts');
	const password = newPassword();
	const accepted = succeeded(
		await bank.changePerson({
			kind: 'accept_invitation',
			linkHash: hashSecret(await invite(bank, 'set_password')),
			passwordHash: await hashPassword(password),
			session: { id: newId(), hash: hashSecret(newLink().secret), browser: 'bursar dev', address: '' },
			actId: newId(),
			requestId: `demo-${randomUUID()}`,
		}),
	);
	const { person, hash } = accepted.session;
	succeeded(await bank.changePerson({ kind: 'sign_out', person, sessionHash: hash }));
	return { email: EMAIL, password, linkSecret: await invite(bank, 'sign_in') };
}

/** Returns the secret of a new link. */
async function invite(bank: Session['bank'], purpose: InvitePerson['purpose']): Promise<string> {
	const { secret, linkHash } = newLink();
	const id = newId();
	succeeded(
		await bank.changePerson({ kind: 'invite_person', id, email: EMAIL, reseller: RESELLER, linkHash, purpose }),
	);
	return secret;
}

function succeeded<Outcome extends { readonly ok: boolean }>(outcome: Outcome): Extract<Outcome, { ok: true }> {
	if (!outcome.ok) throw new Error('the demo data could not be written');
	return outcome as Extract<Outcome, { ok: true }>;
}
