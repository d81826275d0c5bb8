import type { ActRefusal } from '../command.ts';
import type { OwnChange, OwnCommand } from './own-change.ts';
import type { PersonRecord, Session } from './person.ts';
import type { PersonCommand } from './person-command.ts';
import { type PersonDecision, refused } from './person-decision.ts';
import type { PersonFacts } from './person-facts.ts';
import { refusalOfSession } from './proof.ts';
import { type CallersCommand, mayDo } from './rights.ts';

/** Who asks for a change, and in which session. */
interface Caller {
	readonly record: PersonRecord;
	readonly session: Session;
}

/** Finds who asks. Returns why the change is refused: by the session, by the role, or because its act is repeated. */
export function callerOf(
	record: PersonRecord | undefined,
	{ isActRecorded }: Pick<PersonFacts, 'isActRecorded'>,
	{ sessionHash, act }: OwnChange,
	command: OwnCommand | CallersCommand,
	nowMs: number,
): Caller | ActRefusal {
	const session = record?.sessions.find(({ hash }) => hash === sessionHash);
	if (!record || record.person.lockedAtMs !== null || !session) return 'signed_out';
	if (act.person !== record.person.id) throw new Error('an act names another person than its command');
	if (isActRecorded) return 'act_repeated';
	if (!mayDo(record.person, command)) return 'not_allowed';
	return refusalOfSession(session, command, nowMs) ?? { record, session };
}

/**
 * Decides a command that operators give, and owners of a reseller some of them. What is done on the dashboard is recorded
 * as an act. `decide` gets the person who asks; `undefined` for the command line.
 */
export function decideForCaller<C extends CallersCommand>(
	facts: PersonFacts,
	command: C,
	nowMs: number,
	decide: (caller: PersonRecord | undefined) => PersonDecision<C>,
): PersonDecision<C> {
	const { by } = command;
	if (!by) return decide(undefined);
	const caller = callerOf(facts.caller, facts, by, command, nowMs);
	// Each of these commands may be refused so, which the type of a generic command cannot tell.
	if (typeof caller === 'string') return refused(caller) as unknown as PersonDecision<C>;
	const { outcome, effects } = decide(caller.record);
	if (!outcome.ok) return { outcome, effects: [] };
	const reseller = resellerOf(facts, command);
	return { outcome, effects: [...effects, { kind: 'record_act', act: { ...by.act, reseller, atMs: nowMs } }] };
}

/** The reseller that a command of an operator is about; `null` for none. */
export function resellerOf(
	{ record, usage }: Pick<PersonFacts, 'record' | 'usage'>,
	command: PersonCommand,
): string | null {
	if ('reseller' in command && command.reseller !== undefined) return command.reseller;
	return record?.person.reseller ?? usage?.reseller ?? null;
}

/** An owner knows only the people of the own reseller. Operators and the command line know everybody. */
export function isKnownTo({ person }: PersonRecord, caller: PersonRecord | undefined): boolean {
	const worksFor = caller?.person.reseller ?? null;
	return worksFor === null || worksFor === person.reseller;
}
