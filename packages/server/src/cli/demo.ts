import { randomUUID } from 'node:crypto';
import { USAGE_SHOWN_DAYS } from '@bursar/contract/limits';
import { hashSecret, newId, newLink, newPassword, newProxyAuthkey, newToken } from '../credentials.ts';
import type { Command } from '../domain/command.ts';
import type { InvitePerson } from '../domain/people/person-command.ts';
import { startOfDayMs, type UsageReport, usageShownDays } from '../domain/usage.ts';
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
const SUB_USERS = ['alice', 'bruno', 'chiara.d'];
const OPENING_BALANCE_CENTS = 100_00;
const GIVEN_CENTS = 5_00;

/**
 * Creates, in an empty store, a reseller, some sub-users with a balance, usage for every day that is shown, and a
 * person who can sign in.
 */
export async function createDemo({ bank, store }: Pick<Session, 'bank' | 'store'>): Promise<Demo> {
	const { token, ...kept } = newToken();
	const base = { reseller: RESELLER, requestId: `demo-${randomUUID()}` };
	const commands: Command[] = [
		{
			...base,
			kind: 'create_reseller',
			proxyAuthkey: newProxyAuthkey(),
			...kept,
			madeBy: 'operator',
			openingBalanceCents: OPENING_BALANCE_CENTS,
		},
		...SUB_USERS.flatMap((username): Command[] => [
			{ ...base, kind: 'create_sub_user', username, proxyAuthkey: newProxyAuthkey() },
			{ ...base, kind: 'give_balance', username, amountCents: GIVEN_CENTS },
		]),
	];
	const outcomes = await Promise.all(commands.map((command) => bank.submit(command)));
	const recorded = await bank.recordUsage('demo', usage(store.nowMs()));
	if (![...outcomes, recorded].every(({ ok }) => ok)) throw new Error('the demo data could not be written');
	return { reseller: RESELLER, token, person: await createPerson(bank) };
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
	if (!outcome.ok) throw new Error('the person of the demo could not be made');
	return outcome as Extract<Outcome, { ok: true }>;
}

/** Lower on weekends and rising slowly. The figures are the same at every start. */
function usage(nowMs: number): UsageReport[] {
	const { firstDay } = usageShownDays(nowMs);
	return SUB_USERS.flatMap((username, place) =>
		Array.from({ length: USAGE_SHOWN_DAYS }, (_, offset): UsageReport => {
			const day = firstDay + offset;
			const megabytes = (place + 1) * 200 + offset * 5 + (((day * 7919) % 97) + 97) * (day % 7 < 2 ? 1 : 3);
			return {
				source: 'demo',
				id: `${username}-${day}`,
				username,
				atMs: startOfDayMs(day),
				bytesUp: megabytes * 40_000,
				bytesDown: megabytes * 1_000_000,
			};
		}),
	);
}
