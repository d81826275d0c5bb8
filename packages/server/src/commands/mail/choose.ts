import type { MailKind } from '@bursar/contract/dashboard';
import { canHaveMail, MAIL_RULES } from '../../domain/mail/notice.ts';
import type { LinkAct } from '../../domain/people/act.ts';
import type { PersonEffect } from '../../domain/people/person-effect.ts';
import { DONE, type Done, type OwnChange, ownVerb, type PersonVerb, refused } from '../person-verb.ts';

export interface ChooseMail extends OwnChange {
	readonly kind: 'choose_mail';
	readonly mail: MailKind;
	readonly isWanted: boolean;
}

export interface StopMail {
	readonly kind: 'stop_mail';
	readonly person: string;
	readonly mail: MailKind;
	readonly recorded: LinkAct;
}

/** Says whether the person wants mails of this kind. */
export const chooseMail = ownVerb<ChooseMail, Done, 'unknown_mail'>({
	kind: 'choose_mail',
	calls: ['/account/mail/choose'],
	isSavedAgain: true,
	needs: ({ person, mail }) => ({ mailChoice: { person, mail } }),
	decide({ mailChoice }, { mail, isWanted }, _nowMs, { record: { person } }) {
		if (!canHaveMail(mail, person)) return refused('unknown_mail');
		return { outcome: DONE, effects: choosing(mailChoice, person.id, mail, isWanted) };
	},
});

/** Stops these mails after the link of one was opened. No sign-in is needed. */
export const stopMail: PersonVerb<StopMail, Done, 'unknown_mail'> = {
	kind: 'stop_mail',
	calls: [],
	owner: ({ person }) => person,
	needs: ({ person, mail }) => ({ person: { by: 'id', value: person }, mailChoice: { person, mail } }),
	decide({ record, mailChoice }, { person, mail, recorded }, nowMs) {
		if (!record || !canHaveMail(mail, record.person)) return refused('unknown_mail');
		const effects = choosing(mailChoice, person, mail, false);
		if (effects.length === 0) return { outcome: DONE, effects };
		const act = { ...recorded, reseller: record.person.reseller, atMs: nowMs };
		return { outcome: DONE, effects: [...effects, { kind: 'record_act', act }] };
	},
};

/** What a choice changes. */
export function choosing(
	before: boolean | undefined,
	person: string,
	mail: MailKind,
	isWanted: boolean,
): readonly PersonEffect[] {
	if ((before ?? MAIL_RULES[mail].isWantedAtFirst) === isWanted) return [];
	const chosen = { kind: 'choose_mail', person, mail, isWanted } as const;
	return isWanted || MAIL_RULES[mail].isSentAnyway ? [chosen] : [chosen, { kind: 'clear_mails', person, mail }];
}
