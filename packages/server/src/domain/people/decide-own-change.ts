import { MAX_PASSKEYS } from '@bursar/contract/dashboard-limits';
import { decideChoice } from '../mail/decide-mail.ts';
import { isBalance } from '../money.ts';
import { callerOf } from './caller.ts';
import { useChallenge } from './decide-sign-in.ts';
import type {
	AddPasskey,
	EndSessions,
	OwnCommand,
	RemoveCodes,
	RemovePasskey,
	RenamePasskey,
	SetCodes,
	SetLowBalance,
	SetPassword,
} from './own-change.ts';
import { hasSecondFactor, lacksSecondFactor, type PersonRecord, RECOVERY_CODES, type Session } from './person.ts';
import { DONE, type PersonDecision, type PersonEffect, refused } from './person-decision.ts';
import type { PersonFacts } from './person-facts.ts';

const SAVED_AGAIN: ReadonlySet<OwnCommand['kind']> = new Set(['set_low_balance', 'choose_mail']);

/** Decides a change that a person makes to their own account, and records its act. */
export function decideOwnChange(facts: PersonFacts, command: OwnCommand, nowMs: number): PersonDecision<OwnCommand> {
	const caller = callerOf(facts.record, facts, command, command, nowMs);
	if (typeof caller === 'string') return refused(caller);
	const { outcome, effects } = decideChange(facts, caller.record, caller.session, command, nowMs);
	if (!outcome.ok) return { outcome, effects: [] };
	// A page may save a bound or a choice that it has not changed. Then nothing was done.
	if (effects.length === 0 && SAVED_AGAIN.has(command.kind)) return { outcome, effects };
	const { reseller } = caller.record.person;
	return { outcome, effects: [...effects, { kind: 'record_act', act: { ...command.act, reseller, atMs: nowMs } }] };
}

function decideChange(
	facts: PersonFacts,
	record: PersonRecord,
	session: Session,
	command: OwnCommand,
	nowMs: number,
): PersonDecision<OwnCommand> {
	switch (command.kind) {
		case 'set_password':
			return decidePassword(record, session, command);
		case 'set_codes':
			return decideCodes(facts, record, command, nowMs);
		case 'remove_codes':
			return decideEndOfCodes(record);
		case 'set_recovery_codes':
			if (!hasSecondFactor(record)) return refused('second_factor_required');
			return { outcome: DONE, effects: [replaceRecoveryCodes(record, command.recoveryCodes)] };
		case 'add_passkey':
			return decideNewPasskey(facts, record, command, nowMs);
		case 'rename_passkey':
			return decidePasskeyName(record, command);
		case 'remove_passkey':
			return decideEndOfPasskey(record, command);
		case 'end_sessions':
			return decideEndOfSessions(record, session, command);
		case 'set_low_balance':
			return decideLowBalance(facts, record, command);
		case 'choose_mail':
			return decideChoice(facts, record, command);
		case 'show_auth_key':
			return { outcome: DONE, effects: [] };
	}
}

/** Ends every other way in that the previous password may have opened. */
function decidePassword(
	record: PersonRecord,
	session: Session,
	{ passwordHash }: SetPassword,
): PersonDecision<SetPassword> {
	const person = { ...record.person, passwordHash };
	const invitation = record.invitation ? [{ kind: 'remove_invitation', person: person.id } as const] : [];
	return {
		outcome: DONE,
		effects: [{ kind: 'change_person', person }, ...invitation, ...endOthers(record, session)],
	};
}

function decideCodes(
	{ isChallengeUsed }: PersonFacts,
	record: PersonRecord,
	command: SetCodes,
	nowMs: number,
): PersonDecision<SetCodes> {
	const setup = useChallenge(isChallengeUsed, command, nowMs);
	if (!setup) return refused('wrong_code');
	return withRecoveryCodes(record, command.recoveryCodes, [
		{ kind: 'set_codes', codes: { ...command.codes, person: record.person.id } },
		...setup,
	]);
}

function decideEndOfCodes(record: PersonRecord): PersonDecision<RemoveCodes> {
	if (!record.codes) return { outcome: DONE, effects: [] };
	const left = { ...record, codes: undefined };
	if (lacksSecondFactor(left)) return refused('last_factor');
	return { outcome: DONE, effects: [{ kind: 'remove_codes', person: record.person.id }, ...afterRemoval(left)] };
}

function decideNewPasskey(
	{ isChallengeUsed, isPasskeyTaken }: PersonFacts,
	record: PersonRecord,
	command: AddPasskey,
	nowMs: number,
): PersonDecision<AddPasskey> {
	const challenge = useChallenge(isChallengeUsed, command, nowMs);
	if (!challenge) return refused('challenge_used');
	if (isPasskeyTaken) return refused('passkey_taken');
	if (record.passkeys.length >= MAX_PASSKEYS) return refused('too_many_passkeys');
	const times = { createdAtMs: nowMs, lastUsedAtMs: null };
	const passkey = { ...command.passkey, person: record.person.id, ...times };
	return withRecoveryCodes(record, command.recoveryCodes, [{ kind: 'add_passkey', passkey }, ...challenge]);
}

function decidePasskeyName({ passkeys }: PersonRecord, { id, name }: RenamePasskey): PersonDecision<RenamePasskey> {
	const passkey = passkeys.find((each) => each.id === id);
	if (!passkey) return refused('unknown_passkey');
	return { outcome: DONE, effects: [{ kind: 'change_passkey', passkey: { ...passkey, name } }] };
}

function decideEndOfPasskey(record: PersonRecord, { id }: RemovePasskey): PersonDecision<RemovePasskey> {
	const passkeys = record.passkeys.filter((each) => each.id !== id);
	if (passkeys.length === record.passkeys.length) return refused('unknown_passkey');
	const left = { ...record, passkeys };
	if (lacksSecondFactor(left)) return refused('last_factor');
	return { outcome: DONE, effects: [{ kind: 'remove_passkey', id }, ...afterRemoval(left)] };
}

function decideEndOfSessions(
	record: PersonRecord,
	session: Session,
	command: EndSessions,
): PersonDecision<EndSessions> {
	if (command.session === 'others') return { outcome: DONE, effects: endOthers(record, session) };
	const ended = record.sessions.filter(({ id }) => id === command.session);
	if (ended.length === 0) return refused('unknown_session');
	return { outcome: DONE, effects: ended.map(({ hash }) => ({ kind: 'remove_session', hash })) };
}

function decideLowBalance(
	facts: PersonFacts,
	{ person: { reseller } }: PersonRecord,
	{ lowBalanceCents }: SetLowBalance,
): PersonDecision<SetLowBalance> {
	if (reseller === null) throw new Error('an operator has no balance of which to be warned');
	if (lowBalanceCents !== null && !isBalance(lowBalanceCents)) return refused('invalid_amount');
	if (lowBalanceCents === facts.lowBalanceCents) return { outcome: DONE, effects: [] };
	return { outcome: DONE, effects: [{ kind: 'set_low_balance', reseller, lowBalanceCents }] };
}

function endOthers({ sessions }: PersonRecord, session: Session): readonly PersonEffect[] {
	return sessions.filter((each) => each !== session).map(({ hash }) => ({ kind: 'remove_session', hash }));
}

/** Recovery codes stand in for a second factor. Without one, they are of no use. */
function afterRemoval(left: PersonRecord): readonly PersonEffect[] {
	return hasSecondFactor(left) ? [] : [replaceRecoveryCodes(left, [])];
}

/**
 * Adds recovery codes to the effects of a new second factor, if the person has none. Those that somebody made before the
 * first factor would let them around it.
 */
function withRecoveryCodes(record: PersonRecord, hashes: readonly string[], effects: readonly PersonEffect[]) {
	const madeRecoveryCodes = record.recoveryCodes.length === 0 || !hasSecondFactor(record);
	const made = madeRecoveryCodes ? [replaceRecoveryCodes(record, hashes)] : [];
	return { outcome: { ok: true, madeRecoveryCodes }, effects: [...effects, ...made] } as const;
}

function replaceRecoveryCodes({ person }: PersonRecord, hashes: readonly string[]): PersonEffect {
	if (hashes.length > RECOVERY_CODES) throw new Error(`a person has ${RECOVERY_CODES} recovery codes at most`);
	return { kind: 'replace_recovery_codes', person: person.id, hashes };
}
