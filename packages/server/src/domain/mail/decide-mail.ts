import type { MailKind } from '@bursar/contract/dashboard';
import type { ChooseMail } from '../people/own-change.ts';
import type { PersonRecord } from '../people/person.ts';
import { DONE, type PersonDecision, type PersonEffect, refused } from '../people/person-decision.ts';
import type { PersonFacts } from '../people/person-facts.ts';
import { decideTaking, dueAfter, FAILURE_CHARACTERS } from './mail.ts';
import type { EndAlarm, EndTry, MailCommand, RaiseAlarm, StopMail } from './mail-command.ts';
import { canHaveMail, MAIL_RULES } from './notice.ts';

/** Decides what concerns mails. */
export function decideMail(facts: PersonFacts, command: MailCommand, nowMs: number): PersonDecision<MailCommand> {
	switch (command.kind) {
		case 'take_mails': {
			const { mails, effects } = decideTaking(facts.dueMails, nowMs);
			const givenUp = effects.filter((effect) => effect.kind === 'end_try').length;
			return { outcome: { ok: true, mails, givenUp }, effects };
		}
		case 'end_try':
			return decideEndOfTry(command, nowMs);
		case 'raise_alarm':
			return decideAlarm(facts, command);
		case 'end_alarm':
			return decideEndOfAlarm(facts, command);
		case 'stop_mail':
			return decideStop(facts, command, nowMs);
	}
}

function decideEndOfTry({ mail, end }: EndTry, nowMs: number): PersonDecision<EndTry> {
	const kept: EndTry['end'] =
		end.kind === 'failed' ? { ...end, failure: end.failure.slice(0, FAILURE_CHARACTERS) } : end;
	return {
		outcome: DONE,
		effects: [{ kind: 'end_try', mail, end: kept, nextAtMs: dueAfter(end, mail.tries, nowMs) }],
	};
}

function decideAlarm({ isAlarmRaised }: PersonFacts, { subject, notice }: RaiseAlarm): PersonDecision<RaiseAlarm> {
	if (isAlarmRaised) return { outcome: DONE, effects: [] };
	return {
		outcome: DONE,
		effects: [
			{ kind: 'raise_alarm', alarm: notice.kind, subject, sinceMs: notice.atMs },
			{ kind: 'notify', notice },
		],
	};
}

function decideEndOfAlarm({ isAlarmRaised }: PersonFacts, { alarm, subject }: EndAlarm): PersonDecision<EndAlarm> {
	return { outcome: DONE, effects: isAlarmRaised ? [{ kind: 'end_alarm', alarm, subject }] : [] };
}

/** A page may say again what holds already. Then nothing was done. */
export function decideChoice(
	{ mailChoice }: PersonFacts,
	{ person }: PersonRecord,
	{ mail, isWanted }: ChooseMail,
): PersonDecision<ChooseMail> {
	if (!canHaveMail(mail, person)) return refused('unknown_mail');
	return { outcome: DONE, effects: choosing(mailChoice, person.id, mail, isWanted) };
}

/** Who has the link may stop the mails, and do nothing else with it. */
function decideStop(
	{ record, mailChoice }: PersonFacts,
	{ person, mail, recorded }: StopMail,
	nowMs: number,
): PersonDecision<StopMail> {
	if (!record || !canHaveMail(mail, record.person)) return refused('unknown_mail');
	const effects = choosing(mailChoice, person, mail, false);
	if (effects.length === 0) return { outcome: DONE, effects };
	const act = { ...recorded, reseller: record.person.reseller, atMs: nowMs };
	return { outcome: DONE, effects: [...effects, { kind: 'record_act', act }] };
}

function choosing(
	before: boolean | undefined,
	person: string,
	mail: MailKind,
	isWanted: boolean,
): readonly PersonEffect[] {
	if ((before ?? MAIL_RULES[mail].isWantedAtFirst) === isWanted) return [];
	const chosen = { kind: 'choose_mail', person, mail, isWanted } as const;
	return isWanted || MAIL_RULES[mail].isToldAnyway ? [chosen] : [chosen, { kind: 'clear_mails', person, mail }];
}
