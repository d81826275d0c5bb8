import type { MailKind } from '@bursar/contract/dashboard';
import {
	MAILS_AT_ONCE,
	type MailEffect,
	MOST_AHEAD_MS,
	type OutboxRow,
	type TakenMail,
} from '../../../domain/mail/mail.ts';
import { LINK_MAIL, MAIL_RULES, NOTICES_LISTED, type Notice, type Readers } from '../../../domain/mail/notice.ts';
import type { PersonEffect } from '../../../domain/people/person-effect.ts';
import type { KeySeal } from '../../secrets/key-seal.ts';
import type { SharedStatement } from '../../statement.ts';
import { compare } from '../../statement.ts';
import { MAILED_LINK, type MailedLinkRow, mailedLinkOf } from '../people/mailed-links.ts';

/**
 * Adds notices to the mails of everybody who wants them, if mail is set up, on any engine. Notices of one kind to the
 * same readers go together, and all processes write rows in one order.
 */
export function addingNotices(notices: readonly Notice[]): readonly SharedStatement[] {
	const together = Map.groupBy(notices, ({ kind, to }) => `${kind} ${JSON.stringify(to)}`);
	return [...together].toSorted(([one], [other]) => compare(one, other)).map(([, same]) => adding(same));
}

/** Selects a row if the service that was started last sends mail. */
export const IF_MAIL_IS_ON = "FROM meta WHERE name = 'mail' AND value = 'on'";

function adding(notices: readonly Notice[]): SharedStatement {
	const [{ kind, to }] = notices as readonly [Notice];
	const [condition, ...who] = conditionOf(to);
	const lines = notices.slice(0, NOTICES_LISTED).map(({ atMs, facts }) => `${JSON.stringify({ ...facts, atMs })}\n`);
	const atMs = Math.max(...notices.map((notice) => notice.atMs));
	return {
		sql: `INSERT INTO outbox (person, kind, notices, told, next_at_ms)
			SELECT id, CAST($1 AS text), CAST($2 AS bigint), CAST($3 AS text), CAST($4 AS bigint) FROM people
			WHERE ${condition} AND password_hash IS NOT NULL AND locked_at_ms IS NULL
				AND COALESCE(${CHOICE} AND mail_choices.kind = CAST($1 AS text)), CAST($5 AS bigint)) = 1
				AND EXISTS (SELECT 1 ${IF_MAIL_IS_ON})
			ORDER BY id
			ON CONFLICT (person, kind) DO UPDATE SET notices = outbox.notices + excluded.notices,
				told = CASE WHEN outbox.notices < ${NOTICES_LISTED} THEN outbox.told || excluded.told ELSE outbox.told END`,
		values: [kind, notices.length, lines.join(''), atMs, MAIL_RULES[kind].isWantedAtFirst ? 1 : 0, ...who],
	};
}

/**
 * Adds the mail with the link of a person. A mail that could not be sent gives way to it, so that the new link does not wait
 * as long as the old one.
 */
function addLinkMail({ person, atMs }: Effect<'mail_link'>): SharedStatement {
	return {
		sql: `INSERT INTO outbox (person, kind, notices, told, next_at_ms) VALUES ($1, '${LINK_MAIL}', 1, '', $2)
			ON CONFLICT (person, kind) DO UPDATE SET notices = 1, failure = NULL,
				mail_notices = CASE WHEN outbox.failure IS NULL THEN outbox.mail_notices ELSE 0 END,
				next_at_ms = CASE WHEN outbox.failure IS NULL THEN outbox.next_at_ms ELSE excluded.next_at_ms END`,
		values: [person, atMs],
		rows: 1,
	};
}

/** What a person of the row has chosen. A condition on the kind, and the end of the bracket, are to follow. */
const CHOICE = '(SELECT wanted FROM mail_choices WHERE mail_choices.person = people.id';

/** The condition on `people`, and its value. */
function conditionOf(to: Readers): readonly [condition: string, ...values: string[]] {
	if (to === 'operators') return ['reseller IS NULL'];
	return 'person' in to ? ['id = $6', to.person] : ['reseller = $6', to.reseller];
}

/**
 * Among how many of the oldest mails that are due resellers take turns. A reseller has 600 at most: of 100 people, 6 kinds.
 * @bound Due mails, the oldest, among which resellers take turns: the rest waits.
 */
const MAILS_IN_TURNS = 1000;

/** The condition for rows of the outbox with something to do at $1, in Unix milliseconds. $2: what is further ahead is due too. */
const ARE_DUE = '(notices > 0 OR mail_notices > 0) AND (next_at_ms <= $1 OR next_at_ms > $2)';

/** Whether a mail is due. A notice may have been written while its person was removed. */
export function anyDueMail(nowMs: number): SharedStatement {
	const sql = `SELECT 1 FROM outbox JOIN people ON people.id = outbox.person WHERE ${ARE_DUE} LIMIT 1`;
	return { sql, values: [nowMs, nowMs + MOST_AHEAD_MS] };
}

/** A row of the outbox, and what its person has chosen. */
export type DueRow = Omit<OutboxRow, 'isWanted' | 'link'> &
	MailedLinkRow & {
		readonly lockedAtMs: number | null;
		readonly wanted: number | null;
	};

/**
 * Mails that are due. Resellers take turns, and of each one the oldest mail goes first: many mails of one reseller, or
 * mails that cannot be sent, delay no others.
 */
export function dueMails(nowMs: number): SharedStatement {
	const sql = `SELECT outbox.person, reseller, email, outbox.kind AS mail, locked_at_ms AS "lockedAtMs",
			notices, told AS "noticeLines", number,
			mail_notices AS "mailNotices", mail_told AS "mailNoticeLines", begun_at_ms AS "begunAtMs", tries,
			${CHOICE} AND mail_choices.kind = outbox.kind) AS wanted, ${MAILED_LINK}
		FROM (SELECT person, kind FROM outbox WHERE ${ARE_DUE} ORDER BY next_at_ms LIMIT ${MAILS_IN_TURNS}) AS due
		JOIN outbox ON outbox.person = due.person AND outbox.kind = due.kind JOIN people ON people.id = outbox.person
		LEFT JOIN invitations ON invitations.person = outbox.person AND outbox.kind = '${LINK_MAIL}'
		ORDER BY row_number() OVER (PARTITION BY reseller ORDER BY next_at_ms, outbox.person, outbox.kind),
			next_at_ms, outbox.person, outbox.kind
		LIMIT ${MAILS_AT_ONCE}`;
	return { sql, values: [nowMs, nowMs + MOST_AHEAD_MS] };
}

export function outboxRowOf(found: DueRow, seal: KeySeal): OutboxRow {
	const { lockedAtMs, wanted, linkHash, linkPurpose, sealedSecret, linkExpiresAtMs, isKnown, ...row } = found;
	if (row.mail === LINK_MAIL) return { ...row, isWanted: lockedAtMs === null, link: mailedLinkOf(found, seal) };
	const isSent = MAIL_RULES[row.mail].isSentAnyway || isWanted(row.mail, wanted);
	return { ...row, isWanted: lockedAtMs === null && isSent };
}

/** Whether a person wants these mails, by the column `wanted`. */
export function isWanted(mail: MailKind, wanted: number | null | undefined): boolean {
	return wanted == null ? MAIL_RULES[mail].isWantedAtFirst : wanted === 1;
}

type EffectOnMail = Extract<
	PersonEffect,
	MailEffect | { readonly kind: 'notify' | 'mail_link' | 'choose_mail' | 'raise_alarm' | 'end_alarm' }
>;

/** The statements that write what concerns mails, for any engine. */
export function mailWrites(effect: EffectOnMail): readonly SharedStatement[] {
	switch (effect.kind) {
		case 'notify':
			return addingNotices([effect.notice]);
		case 'mail_link':
			return [addLinkMail(effect)];
		case 'choose_mail':
			return [chooseMail(effect)];
		case 'raise_alarm': {
			const sql = 'INSERT INTO alarms (kind, subject, since_ms) VALUES ($1, $2, $3)';
			return [{ sql, values: [effect.alarm, effect.subject, effect.sinceMs], rows: 1 }];
		}
		case 'end_alarm':
			return [endAlarm(effect)];
		case 'begin_mail':
			return [beginMail(effect)];
		case 'retry_mail':
			return [retryMail(effect)];
		case 'clear_mails':
			return [clearMails(effect), ...forgetLink(effect)];
		case 'end_try':
			return [endTry(effect), ...forgetLink(effect.mail)];
	}
}

type Effect<Kind extends EffectOnMail['kind']> = Extract<EffectOnMail, { readonly kind: Kind }>;

function chooseMail({ person, mail, isWanted: wanted }: Effect<'choose_mail'>): SharedStatement {
	return {
		sql: `INSERT INTO mail_choices (person, kind, wanted) VALUES ($1, $2, $3)
			ON CONFLICT (person, kind) DO UPDATE SET wanted = excluded.wanted`,
		values: [person, mail, wanted ? 1 : 0],
		rows: 1,
	};
}

/** Forgets an alarm, if it is raised. */
function endAlarm({ alarm, subject }: Pick<Effect<'end_alarm'>, 'alarm' | 'subject'>): SharedStatement {
	return { sql: 'DELETE FROM alarms WHERE kind = $1 AND subject = $2', values: [alarm, subject] };
}

/** Takes only the notices of the mail: other transactions may have added notices since the row was read. */
function beginMail({ mail, nextAtMs }: Effect<'begin_mail'>): SharedStatement {
	const { person, mail: kind, number, notices, noticeLines, tries, begunAtMs } = mail;
	return {
		sql: `UPDATE outbox SET number = $1, mail_notices = $2, mail_told = $3, begun_at_ms = $4, tries = $5, failure = NULL,
				next_at_ms = $6, notices = notices - $2, told = substr(told, length($3) + 1)
			WHERE person = $7 AND kind = $8`,
		values: [number, notices, noticeLines, begunAtMs, tries, nextAtMs, person, kind],
		rows: 1,
	};
}

function retryMail({ mail, nextAtMs }: Effect<'retry_mail'>): SharedStatement {
	return {
		sql: 'UPDATE outbox SET tries = $1, next_at_ms = $2 WHERE person = $3 AND kind = $4',
		values: [mail.tries, nextAtMs, mail.person, mail.mail],
		rows: 1,
	};
}

function clearMails({ person, mail }: Effect<'clear_mails'>): SharedStatement {
	return {
		sql: `UPDATE outbox SET notices = 0, told = '', mail_notices = 0, mail_told = '', failure = NULL
			WHERE person = $1 AND kind = $2`,
		values: [person, mail],
	};
}

/** A mail whose try has ended in another way meanwhile has another number, or no notices. */
function endTry({ mail, end, nextAtMs }: Effect<'end_try'>): SharedStatement {
	const { person, mail: kind, number } = mail;
	const ending = {
		sent: "mail_notices = 0, mail_told = '', failure = NULL",
		given_up: "mail_notices = 0, mail_told = '', failure = NULL, given_up = given_up + 1",
		back: 'tries = tries - 1',
		failed: 'failure = $5',
	}[end.kind];
	return {
		sql: `UPDATE outbox SET ${ending}, next_at_ms = $1
			WHERE person = $2 AND kind = $3 AND number = $4 AND mail_notices > 0`,
		values: [nextAtMs, person, kind, number, ...(end.kind === 'failed' ? [end.failure] : [])],
	};
}

/** Once no mail with the link waits, its secret is not kept any more. The link still works. */
function forgetLink({ person, mail }: Pick<TakenMail, 'person' | 'mail'>): readonly SharedStatement[] {
	if (mail !== LINK_MAIL) return [];
	const sql = `UPDATE invitations SET sealed_secret = NULL WHERE person = $1 AND EXISTS (SELECT 1 FROM outbox
		WHERE outbox.person = $1 AND kind = '${LINK_MAIL}' AND notices = 0 AND mail_notices = 0)`;
	return [{ sql, values: [person] }];
}
