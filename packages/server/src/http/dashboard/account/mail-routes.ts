import { MAIL_KINDS, type MailChoices } from '@bursar/contract/dashboard';
import { canHaveMail } from '../../../domain/mail/notice.ts';
import type { Person } from '../../../domain/people/person.ts';
import { readAfterChange } from '../calls/after-change.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';

interface MailDependencies extends Pick<DashboardDependencies, 'store' | 'bank' | 'mail'> {
	readonly sessions: Sessions;
}

/** Which mails people get. */
export function mailRoutes(calls: Calls, { store, bank, mail: setup, sessions }: MailDependencies): void {
	calls.read('/account/mail', async (_query, { caller }) => ({ data: await choicesOf(caller.record.person) }));

	calls.change('/account/mail/choose', async ({ act, mail, wanted }, call) => {
		const kind = wanted ? 'want_mail' : 'stop_mail';
		const outcome = await bank.changePerson({
			kind: 'choose_mail',
			...ownChange(call, sessions, { act, kind, target: mail }),
			mail,
			isWanted: wanted,
		});
		if (!outcome.ok) return refusedBy(outcome);
		return readAfterChange(async () => ({ data: await choicesOf(call.caller.record.person) }));
	});

	async function choicesOf(person: Person): Promise<MailChoices> {
		const choices = await store.findMailChoices(person.id);
		return {
			is_set_up: setup !== undefined,
			choices: MAIL_KINDS.filter((mail) => canHaveMail(mail, person)).map((mail) => ({ mail, wanted: choices[mail] })),
		};
	}
}
