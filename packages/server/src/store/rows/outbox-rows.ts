import { MAIL_RULES, NOTICES_TOLD, type Notice, type Readers } from '../../domain/mail/notice.ts';
import type { SharedStatement } from '../people/person-rows.ts';
import { compare } from './given-rows.ts';

/**
 * Adds notices to the mails of everybody who wants them, if mail is set up, on any engine. Notices of one kind to the
 * same readers go together, and all processes write rows in one order.
 */
export function noticeWrites(notices: readonly Notice[]): readonly SharedStatement[] {
	const together = Map.groupBy(notices, ({ kind, to }) => `${kind} ${JSON.stringify(to)}`);
	return [...together].toSorted(([one], [other]) => compare(one, other)).map(([, same]) => adding(same));
}

function adding(notices: readonly Notice[]): SharedStatement {
	const [{ kind, to }] = notices as readonly [Notice];
	const [condition, ...who] = conditionOf(to);
	const told = notices.slice(0, NOTICES_TOLD).map(({ atMs, told }) => `${JSON.stringify({ ...told, atMs })}\n`);
	const atMs = Math.max(...notices.map((notice) => notice.atMs));
	return {
		sql: `INSERT INTO outbox (person, kind, notices, told, next_at_ms)
			SELECT id, CAST($1 AS text), CAST($2 AS bigint), CAST($3 AS text), CAST($4 AS bigint) FROM people
			WHERE ${condition} AND password_hash IS NOT NULL AND locked_at_ms IS NULL
				AND COALESCE(${CHOICE} AND mail_choices.kind = CAST($1 AS text)), CAST($5 AS bigint)) = 1
				AND EXISTS (SELECT 1 FROM meta WHERE name = 'mail' AND value = 'on')
			ORDER BY id
			ON CONFLICT (person, kind) DO UPDATE SET notices = outbox.notices + excluded.notices,
				told = CASE WHEN outbox.notices < ${NOTICES_TOLD} THEN outbox.told || excluded.told ELSE outbox.told END`,
		values: [kind, notices.length, told.join(''), atMs, MAIL_RULES[kind].isWantedAtFirst ? 1 : 0, ...who],
	};
}

/** What a person of the row has chosen. A condition on the kind, and the end of the bracket, are to follow. */
export const CHOICE = '(SELECT wanted FROM mail_choices WHERE mail_choices.person = people.id';

/** The condition on `people`, and its value. */
function conditionOf(to: Readers): readonly [condition: string, ...values: string[]] {
	if (to === 'operators') return ['reseller IS NULL'];
	return 'person' in to ? ['id = $6', to.person] : ['reseller = $6', to.reseller];
}
