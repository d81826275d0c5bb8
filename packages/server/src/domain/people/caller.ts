import type { OwnChange } from './own-change.ts';
import type { PersonRecord, Session } from './person.ts';
import type { PersonCommand } from './person-command.ts';
import { type PersonDecision, refused } from './person-decision.ts';
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

/** A command that operators give on the dashboard, and on the command line. */
type OperatorsCommand = Extract<PersonCommand, { readonly by?: OwnChange | undefined }>;

/**
 * Decides a command of an operator. What is done on the dashboard is recorded as an act. `decide` gets the operator who
 * asks; `undefined` for the command line. The route has checked that it is an operator, so anybody else is a fault.
 */
export function decideForOperator<C extends OperatorsCommand>(
	facts: Pick<PersonFacts, 'caller' | 'isActRecorded'>,
	command: C,
	nowMs: number,
	decide: (caller: PersonRecord | undefined) => PersonDecision<C>,
): PersonDecision<C> {
	const { by } = command;
	if (!by) return decide(undefined);
	const caller = callerOf(facts.caller, facts, by, command, nowMs);
	// Each of these commands may be refused so, which the type of a generic command cannot tell.
	if (typeof caller === 'string') return refused(caller) as unknown as PersonDecision<C>;
	if (caller.record.person.reseller !== null) throw new Error('only an operator may do this');
	const { outcome, effects } = decide(caller.record);
	if (!outcome.ok) return { outcome, effects: [] };
	return { outcome, effects: [...effects, { kind: 'record_act', act: { ...by.act, atMs: nowMs } }] };
}
