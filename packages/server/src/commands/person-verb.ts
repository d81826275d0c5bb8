import type { CommandLineAct, OperatorProgramAct, PersonAct } from '../domain/people/act.ts';
import type { PersonRecord, Session } from '../domain/people/person.ts';
import type { PersonEffect } from '../domain/people/person-effect.ts';
import type { PersonFacts, PersonNeeds } from '../domain/people/person-facts.ts';
import type { ActRefusal } from './command.ts';
import { type Calls, mayGive, refusalOfSession } from './rights.ts';

/**
 * One kind of command about people, their mails, edges, corrections of bandwidth, or verifications: all that the house has
 * to know of it. These commands run one by one, over all processes. E-mail addresses are normalized. All hashes are
 * SHA-256, base64url.
 */
export interface PersonVerb<C extends KindOfCommand, Answer extends Done, Reason extends string> {
	readonly kind: C['kind'];
	/** The calls of the dashboard that give it. A person who may make one of them may give it, after a proof if one is needed. */
	readonly calls: Calls;
	/** The owner in whose turn it runs. */
	owner(command: C): string;
	/** What a decision reads. It names no text that the rules refuse anyway: no engine has to look that up. */
	needs(command: C, nowMs: number): PersonNeeds;
	/** The accounts whose counted bandwidth it changes. */
	changesUsageOf?(command: C): readonly string[];
	/** Pure. `facts` are what `needs` asks for. `nowMs` is in Unix milliseconds. Throws only if the input is impossible. */
	decide(facts: PersonFacts, command: C, nowMs: number): PersonDecision<Answer, Reason>;
}

interface KindOfCommand {
	readonly kind: string;
}

export interface Done {
	readonly ok: true;
}

export const DONE = { ok: true } as const;

/** The outcome of one command about a person, and what it changes. A refusal changes nothing. */
export interface PersonDecision<Answer extends Done = Done, Reason extends string = string> {
	readonly outcome: Answer | PersonRefusal<Reason>;
	/** In the order in which they are written. */
	readonly effects: readonly PersonEffect[];
}

export interface PersonRefusal<Reason extends string = string> {
	readonly ok: false;
	readonly error: Reason;
	/** How long to wait before the next try, in milliseconds. Only with `too_many_tries`. */
	readonly waitMs?: number;
	/** Set if it was not run because its owner has too much waiting. */
	readonly isCallerBusy?: true;
}

export function refusePerson<Reason extends string>(error: Reason): PersonRefusal<Reason> {
	return { ok: false, error };
}

/** A decision that refuses the command, and changes nothing. */
export function refused<Reason extends string>(error: Reason) {
	return { outcome: refusePerson(error), effects: [] } as const;
}

/** What a person does, and who it is. The session must still be live. */
export interface OwnChange {
	readonly person: string;
	readonly sessionHash: string;
	readonly act: PersonAct;
}

/** A command that an operator gives, or an owner of a reseller. */
export interface CallersCommand extends KindOfCommand {
	/** Who asks on the dashboard. Absent for the command line and for programs of the operator. */
	readonly by?: OwnChange | undefined;
	/** What is recorded of a command that no person on the dashboard gives. */
	readonly unattended?: CommandLineAct | OperatorProgramAct | undefined;
	/** `null` for operators; absent if the command does not say it. */
	readonly reseller?: string | null | undefined;
}

/** `own_account`: on the dashboard, callers cannot lock, reset or remove themselves, or change their own role. */
export type CallersRefusal = ActRefusal | 'own_account';

interface CallersVerb<C extends CallersCommand, Answer extends Done, Reason extends string> {
	readonly kind: C['kind'];
	readonly calls: Calls;
	needs(command: C): PersonNeeds;
	/** `caller` is who asks; `undefined` for the command line and for programs of the operator. */
	decide(
		facts: PersonFacts,
		command: C,
		nowMs: number,
		caller: PersonRecord | undefined,
	): PersonDecision<Answer, Reason>;
}

/** A verb of operators, and of owners of a reseller. What is done on the dashboard or with a program is recorded as an act. */
export function callersVerb<C extends CallersCommand, Answer extends Done, Reason extends string>(
	verb: CallersVerb<C, Answer, Reason>,
): PersonVerb<C, Answer, Reason | CallersRefusal> {
	const { kind, calls } = verb;
	return {
		kind,
		calls,
		owner: () => 'operator',
		needs(command) {
			const { by, unattended } = command;
			const act = by?.act.id ?? unattended?.id;
			return {
				...verb.needs(command),
				...(by && { caller: { by: 'id', value: by.person } }),
				...(act !== undefined && { act }),
			};
		},
		decide(facts, command, nowMs) {
			const { by, unattended, reseller: named } = command;
			const program = unattended && 'operatorToken' in unattended ? unattended : undefined;
			const act = by?.act ?? program;
			const refusal = program && refusalOfProgram(facts, command);
			const caller = by ? callerOf(facts.caller, facts, by, { calls, reseller: named }, nowMs) : refusal;
			if (typeof caller === 'string') return refused(caller);
			const { outcome, effects } = verb.decide(facts, command, nowMs, caller?.record);
			if (!act) return { outcome, effects };
			if (!outcome.ok) return { outcome, effects: [] };
			const reseller = resellerOf(facts, command);
			return { outcome, effects: [...effects, { kind: 'record_act', act: { ...act, reseller, atMs: nowMs } }] };
		},
	};
}

/** A program must not become an operator, or lock out those who could end its token. */
function refusalOfProgram(
	{ isActRecorded, record }: PersonFacts,
	{ reseller }: CallersCommand,
): ActRefusal | undefined {
	if (isActRecorded) return 'act_repeated';
	const isAboutOperator = reseller === null || record?.person.reseller === null;
	return isAboutOperator ? 'not_allowed' : undefined;
}

interface OwnVerb<C extends OwnCommand, Answer extends Done, Reason extends string> {
	readonly kind: C['kind'];
	readonly calls: Calls;
	/** What it needs besides its person. */
	needs?(command: C): PersonNeeds;
	/** A page may save what it has not changed. Then nothing was done, and nothing is recorded. */
	readonly isSavedAgain?: true;
	decide(facts: PersonFacts, command: C, nowMs: number, caller: Caller): PersonDecision<Answer, Reason>;
}

type OwnCommand = KindOfCommand & OwnChange;

/** A verb by which people change their own account. It is recorded as an act. */
export function ownVerb<C extends OwnCommand, Answer extends Done, Reason extends string>(
	verb: OwnVerb<C, Answer, Reason>,
): PersonVerb<C, Answer, Reason | ActRefusal> {
	const { kind, calls } = verb;
	return {
		kind,
		calls,
		owner: ({ person }) => person,
		needs: (command) => ({
			...verb.needs?.(command),
			person: { by: 'id', value: command.person },
			act: command.act.id,
		}),
		decide(facts, command, nowMs) {
			const caller = callerOf(facts.record, facts, command, { calls }, nowMs);
			if (typeof caller === 'string') return refused(caller);
			const { outcome, effects } = verb.decide(facts, command, nowMs, caller);
			if (!outcome.ok) return { outcome, effects: [] };
			if (effects.length === 0 && verb.isSavedAgain) return { outcome, effects };
			const { reseller } = caller.record.person;
			return {
				outcome,
				effects: [...effects, { kind: 'record_act', act: { ...command.act, reseller, atMs: nowMs } }],
			};
		},
	};
}

/** Who asks for a change, and in which session. */
interface Caller {
	readonly record: PersonRecord;
	readonly session: Session;
}

/** Finds who asks. Returns why the change is refused: by the session, by the role, or because its act is repeated. */
function callerOf(
	record: PersonRecord | undefined,
	{ isActRecorded }: Pick<PersonFacts, 'isActRecorded'>,
	{ sessionHash, act }: OwnChange,
	{ calls, reseller }: { readonly calls: Calls; readonly reseller?: string | null | undefined },
	nowMs: number,
): Caller | ActRefusal {
	const session = record?.sessions.find(({ hash }) => hash === sessionHash);
	if (!record || record.person.lockedAtMs !== null || !session) return 'signed_out';
	if (act.person !== record.person.id) throw new Error('an act names another person than its command');
	if (isActRecorded) return 'act_repeated';
	if (!mayGive(record.person, calls, reseller)) return 'not_allowed';
	return refusalOfSession(session, calls, nowMs) ?? { record, session };
}

/** The reseller that a command of an operator is about; `null` for none. */
export function resellerOf(
	{ record, usage }: Pick<PersonFacts, 'record' | 'usage'>,
	{ reseller }: Pick<CallersCommand, 'reseller'>,
): string | null {
	return reseller !== undefined ? reseller : (record?.person.reseller ?? usage?.reseller ?? null);
}

/** An owner knows only the people of the own reseller. Operators and the command line know all people. */
export function isKnownTo({ person }: PersonRecord, caller: PersonRecord | undefined): boolean {
	const worksFor = caller?.person.reseller ?? null;
	return worksFor === null || worksFor === person.reseller;
}

/** Callers must not act on themselves: the last operator could lock out all, with no way back on the dashboard. */
export function isSamePerson({ person }: PersonRecord, caller: PersonRecord | undefined): boolean {
	return person.id === caller?.person.id;
}
