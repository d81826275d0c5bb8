import type { OwnChange } from './own-change.ts';
import type { PersonRecord, Session } from './person.ts';
import type { PersonCommand } from './person-command.ts';
import type { PersonFacts } from './person-facts.ts';
import { refusalOfSession } from './proof.ts';

/** Who asks for a change, and in which session. */
interface Caller {
	readonly record: PersonRecord;
	readonly session: Session;
}

/** Finds who asks. Returns why the change is refused if the session does not allow it, or its act is repeated. */
export function callerOf(
	record: PersonRecord | undefined,
	{ isActRecorded }: Pick<PersonFacts, 'isActRecorded'>,
	{ sessionHash, act }: OwnChange,
	command: PersonCommand,
	nowMs: number,
): Caller | 'signed_out' | 'act_repeated' | 'proof_required' {
	const session = record?.sessions.find(({ hash }) => hash === sessionHash);
	if (!record || record.person.lockedAtMs !== null || !session) return 'signed_out';
	if (act.person !== record.person.id) throw new Error('an act names another person than its command');
	if (isActRecorded) return 'act_repeated';
	return refusalOfSession(session, command, nowMs) ?? { record, session };
}

/**
 * Finds the operator who asks for a change that is not about their own account. The route has checked that it is an
 * operator, so anybody else is a fault.
 */
export function operatorOf(
	facts: Pick<PersonFacts, 'caller' | 'isActRecorded'>,
	by: OwnChange,
	command: PersonCommand,
	nowMs: number,
): PersonRecord | 'signed_out' | 'act_repeated' | 'proof_required' {
	const caller = callerOf(facts.caller, facts, by, command, nowMs);
	if (typeof caller === 'string') return caller;
	if (caller.record.person.reseller !== null) throw new Error('only an operator may do this');
	return caller.record;
}
