import type { MailKind } from '@bursar/contract/dashboard';
import type { AlarmKind } from '../../../domain/mail/notice.ts';
import { MAIL_RULES } from '../../../domain/mail/notice.ts';
import type { ReadLanes } from '../../reading.ts';
import { OPERATORS } from '../../reading.ts';
import { anyDueMail, isWanted } from './outbox.ts';

/** What is read about mails. Each read throws `StoreUnavailableError` if the store cannot be asked. */
export interface MailReads {
	/** Whether a mail is due at this time, in Unix milliseconds. */
	hasDueMail(atMs: number): Promise<boolean>;
	/** Whether a person wants mails of each kind. */
	findMailChoices(person: string): Promise<Readonly<Record<MailKind, boolean>>>;
	/** The subjects of the alarms of one kind that are raised. */
	listAlarms(kind: AlarmKind): Promise<readonly string[]>;
	/** How the mails fare. Heavy. */
	readOutbox(): Promise<OutboxState>;
}

interface OutboxState {
	readonly waiting: number;
	/** How many of those that wait have failed before. */
	readonly failing: number;
	/** When the oldest of them was begun, in Unix milliseconds. */
	readonly failingSinceMs: number | null;
	/** The failure of the one that was begun last. */
	readonly failure: string | null;
	readonly givenUp: number;
}

const MAIL = Object.keys(MAIL_RULES) as readonly MailKind[];

/** The reads about mails, for any engine. */
export function mailReads({ quick, heavy }: ReadLanes): MailReads {
	return {
		hasDueMail: async (atMs) => (await quick({ owner: OPERATORS, statement: anyDueMail(atMs) })).length > 0,
		async findMailChoices(person) {
			const sql = 'SELECT kind, wanted FROM mail_choices WHERE person = $1';
			const rows = (await quick({ owner: person, statement: { sql, values: [person] } })) as readonly ChoiceRow[];
			const chosen = new Map(rows.map(({ kind, wanted }) => [kind, wanted]));
			return Object.fromEntries(MAIL.map((kind) => [kind, isWanted(kind, chosen.get(kind))])) as Record<
				MailKind,
				boolean
			>;
		},
		async listAlarms(kind) {
			const sql = 'SELECT subject FROM alarms WHERE kind = $1 ORDER BY subject';
			const rows = await quick({ owner: OPERATORS, statement: { sql, values: [kind] } });
			return (rows as readonly { readonly subject: string }[]).map(({ subject }) => subject);
		},
		async readOutbox() {
			const [state] = (await heavy({ owner: OPERATORS, statement: { sql: OUTBOX, values: [] } })) as [OutboxState];
			return state;
		},
	};
}

interface ChoiceRow {
	readonly kind: MailKind;
	readonly wanted: number;
}

/** Without notices that were written while their person was removed: they are never sent. */
const OUTBOX = `SELECT count(CASE WHEN notices > 0 OR mail_notices > 0 THEN 1 END) AS waiting,
		count(failure) AS failing, min(CASE WHEN failure IS NOT NULL THEN begun_at_ms END) AS "failingSinceMs",
		(SELECT failure FROM outbox WHERE failure IS NOT NULL ORDER BY begun_at_ms DESC LIMIT 1) AS failure,
		CAST(COALESCE(sum(given_up), 0) AS bigint) AS "givenUp"
	FROM outbox JOIN people ON people.id = outbox.person`;
