import type { MailKind, Role } from '@bursar/contract/dashboard';
import type { BeginVerification } from '../../src/commands/ledger/verify.ts';
import type { ChooseMail } from '../../src/commands/mail/choose.ts';
import type { AcceptInvitation } from '../../src/commands/people/accept-invitation.ts';
import type { Claim, MakeClaim } from '../../src/commands/people/claim.ts';
import type { SetCodes } from '../../src/commands/people/codes.ts';
import type { EndSessions } from '../../src/commands/people/end-sessions.ts';
import type { InvitePerson } from '../../src/commands/people/invite.ts';
import type { ForgotPassword, UsePasswordLink } from '../../src/commands/people/new-password.ts';
import type { AddPasskey, RemovePasskey, RenamePasskey } from '../../src/commands/people/passkeys.ts';
import type { NewSession } from '../../src/commands/people/sessions.ts';
import type { SetPassword } from '../../src/commands/people/set-password.ts';
import type { SignIn, VerifiedFactor } from '../../src/commands/people/sign-in.ts';
import type { CountTry } from '../../src/commands/people/tries.ts';
import type { OwnChange } from '../../src/commands/person-verb.ts';
import type { SetLowBalance } from '../../src/commands/resellers/set-low-balance.ts';
import type { ShowAuthKey } from '../../src/commands/sub-users/show-auth-key.ts';
import type { PersonAct } from '../../src/domain/people/act.ts';
import type { Passkey, Session } from '../../src/domain/people/person.ts';
import { NOON_MS } from './commands.ts';

/** The request of all these commands. */
const REQUEST = 'request-1';

/** The e-mail address of the person that these commands name. */
export function emailOf(person: string): string {
	return `${person}@example.com`;
}

export function passwordHashOf(person: string): string {
	return `password of ${person}`;
}

export function newSession(name: string): NewSession {
	return { id: `id of ${name}`, hash: name, browser: 'Firefox on Windows', address: '192.0.2.1' };
}

/** The session that the rules make. */
export function sessionOf(person: string, name: string, atMs = NOON_MS): Session {
	return { ...newSession(name), person, signedInAtMs: atMs, lastSeenAtMs: atMs, provenAtMs: atMs };
}

/** Makes a link with this hash; `null` invites an operator. */
export function invite(
	person: string,
	reseller: string | null,
	linkHash = `link of ${person}`,
	role: Role = 'owner',
): InvitePerson {
	const email = emailOf(person);
	const given = { reseller, role: reseller === null ? null : role };
	return { kind: 'invite_person', id: person, email, ...given, linkHash, purpose: 'set_password' };
}

export function accept(person: string, session: string, linkHash = `link of ${person}`): AcceptInvitation {
	return {
		kind: 'accept_invitation',
		linkHash,
		passwordHash: passwordHashOf(person),
		session: newSession(session),
		actId: `acceptance of ${linkHash}`,
		requestId: REQUEST,
	};
}

/** Makes the link with which the first operator claims the service. */
export function makeClaim(person: string, linkHash = `claim of ${person}`): MakeClaim {
	return { kind: 'make_claim', id: person, linkHash };
}

/** Claims the service as this person. */
export function claim(person: string, session: string, linkHash = `claim of ${person}`): Claim {
	const passwordHash = passwordHashOf(person);
	const use = { linkHash, session: newSession(session), actId: `claim in ${session}`, requestId: REQUEST };
	return { kind: 'claim', email: emailOf(person), passwordHash, ...use };
}

/** The password, with the code of a time step or a recovery code. */
export function byPassword(person: string, code?: number | string): VerifiedFactor {
	const sent = typeof code === 'number' ? { step: code } : code === undefined ? undefined : { recoveryHash: code };
	return { kind: 'password', passwordHash: passwordHashOf(person), code: sent };
}

export function byPasskey(id: string, challengeHash: string, counter = 0): VerifiedFactor {
	return { kind: 'passkey', id, counter, challengeHash, challengeExpiresAtMs: NOON_MS + 300_000 };
}

export function signIn(person: string, session: string, factor = byPassword(person)): SignIn {
	const act = `sign-in ${session}`;
	const asked = { actId: act, requestId: REQUEST };
	return { kind: 'sign_in', person, factor, session: newSession(session), forgives: [], ...asked };
}

/** An act in the session with this name. */
export function actOf(person: string, session: string, id: string, kind: string, target = ''): PersonAct {
	return { id, person, session: newSession(session).id, address: '192.0.2.1', kind, target, requestId: REQUEST };
}

/** A change that the person makes in a session. The id of its act is the kind, unless another one is given. */
function own<Kind extends string>(person: string, sessionHash: string, kind: Kind, actId: string = kind) {
	return { kind, person, sessionHash, act: actOf(person, sessionHash, `${actId} of ${person}`, kind) };
}

export function setPassword(person: string, session: string, passwordHash: string, actId?: string): SetPassword {
	return { ...own(person, session, 'set_password', actId), passwordHash };
}

/** Asks for a link with this hash, without signing in. */
export function forgot(person: string, linkHash: string): ForgotPassword {
	const email = emailOf(person);
	const asked = askedBy(`request of ${linkHash}`);
	return { kind: 'forgot_password', email, linkHash, linkSecret: `secret of ${linkHash}`, triesKey: email, asked };
}

export function usePasswordLink(linkHash: string, passwordHash: string): UsePasswordLink {
	return { kind: 'use_password_link', linkHash, passwordHash, forgives: [], asked: askedBy(`use of ${linkHash}`) };
}

function askedBy(id: string) {
	return { id, address: '192.0.2.9', requestId: REQUEST };
}

export const RECOVERY_HASHES = Array.from({ length: 10 }, (_, index) => `recovery ${index}`);

export function setCodes(person: string, session: string, lastStep = 100, actId?: string): SetCodes {
	const codes = { secret: `SECRETOF${person.toUpperCase()}`, lastStep };
	const change = own(person, session, 'set_codes', actId);
	const setup = { challengeHash: `setup of ${change.act.id}`, challengeExpiresAtMs: NOON_MS + 600_000 };
	return { ...change, ...setup, codes, recoveryCodes: RECOVERY_HASHES };
}

export function removeCodes(person: string, session: string) {
	return own(person, session, 'remove_codes');
}

/** The passkey that the rules make. */
export function passkeyOf(person: string, id: string, createdAtMs = NOON_MS): Passkey {
	const name = `name of ${id}`;
	const transports = ['internal', 'hybrid'];
	return { id, person, publicKey: `key of ${id}`, counter: 0, transports, name, createdAtMs, lastUsedAtMs: null };
}

export function addPasskey(person: string, session: string, id: string): AddPasskey {
	const { publicKey, counter, transports, name } = passkeyOf(person, id);
	return {
		...own(person, session, 'add_passkey', `addition of ${id}`),
		passkey: { id, publicKey, counter, transports, name },
		challengeHash: `challenge of ${id}`,
		challengeExpiresAtMs: NOON_MS + 300_000,
		recoveryCodes: RECOVERY_HASHES,
	};
}

export function renamePasskey(person: string, session: string, id: string, name: string): RenamePasskey {
	return { ...own(person, session, 'rename_passkey'), id, name };
}

export function removePasskey(person: string, session: string, id: string): RemovePasskey {
	return { ...own(person, session, 'remove_passkey', `removal of ${id}`), id };
}

export function endSessions(person: string, sessionHash: string, session: string): EndSessions {
	return { ...own(person, sessionHash, 'end_sessions', `end of ${session}`), session };
}

/** A try for each key. Three are allowed at once, then one each 1000 ms. */
export function countTry(...keys: readonly string[]): CountTry {
	return { kind: 'count_try', tries: keys.map((key) => ({ key, limit: { burst: 3, intervalMs: 1000 } })) };
}

export function setLowBalance(
	person: string,
	session: string,
	lowBalanceCents: number | null,
	actId?: string,
): SetLowBalance {
	return { ...own(person, session, 'set_low_balance', actId), lowBalanceCents };
}

export function showAuthKey(person: string, session: string, actId?: string): ShowAuthKey {
	return own(person, session, 'show_auth_key', actId);
}

/** Says whether the person wants these mails. */
export function chooseMail(person: string, session: string, mail: MailKind, isWanted: boolean): ChooseMail {
	return { ...own(person, session, 'choose_mail', `${mail} ${isWanted}`), mail, isWanted };
}

/** Who asks for a change that is not about them. */
export function by(person: string, session: string, actId: string): { readonly by: OwnChange } {
	const { kind: _, ...change } = own(person, session, 'any', actId);
	return { by: change };
}

/** Begins a verification, by an operator or, without one, by the command line. */
export function beginVerification(id: string, caller: { readonly by?: OwnChange } = {}): BeginVerification {
	return { kind: 'begin_verification', id, ...caller };
}
