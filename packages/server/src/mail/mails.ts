import type { Logger } from 'pino';
import type { Bank } from '../bank/bank.ts';
import { createOutageLog } from '../outage-log.ts';
import type { Store } from '../store/store.ts';
import type { EdgeReads } from '../store/tables/edges/edges.ts';
import type { VerificationReads } from '../store/tables/ledger/verifications.ts';
import type { MailReads } from '../store/tables/mail/reads.ts';
import { createAlarmWatch } from './alarm-watch.ts';
import { composeLetter, type LetterParts } from './letter.ts';
import { createMailSending, type MailObserver } from './mail-sending.ts';
import { connectSmtp } from './smtp.ts';
import type { SmtpUrl } from './smtp-url.ts';

interface MailParts extends LetterParts {
	readonly server: SmtpUrl;
	readonly store: MailReads &
		Pick<EdgeReads, 'listEdges'> &
		Pick<VerificationReads, 'findVerifications'> &
		Pick<Store, 'nowMs'>;
	readonly bank: Pick<Bank, 'changePerson' | 'keep'>;
	readonly logger: Logger;
	/** Counts a try to send a mail, by how it ended. */
	readonly ended: MailObserver['ended'];
	/** How often this process looks for due mails and for causes of alarms, in milliseconds. For tests. */
	readonly lookMs?: number | undefined;
	/** After which silence an edge counts as silent, in milliseconds. For tests. */
	readonly edgeSilentMs?: number | undefined;
}

/** The work of this process on mail: it raises alarms, and sends what is due. */
export interface Mails {
	/** Resolves when nothing is sent any more. What was not sent waits. */
	stop(): Promise<void>;
}

export function createMails({ server, store, bank, logger, ended, lookMs, edgeSilentMs, ...letter }: MailParts): Mails {
	const outage = createOutageLog({
		failing: (fields) => logger.warn(fields, 'mails could not be sent, which is tried again'),
		over: () => logger.warn('mails can be sent again'),
	});
	const sending = createMailSending({
		store,
		bank,
		connect: () => connectSmtp(server),
		compose: (mail) => composeLetter(mail, letter),
		observer: { ended, failed: outage.failed, sent: outage.over },
		lookMs,
	});
	const watch = createAlarmWatch({
		store,
		bank,
		nowMs: () => store.nowMs(),
		failed: (cause) => logger.warn({ err: cause }, 'it could not be looked what there is to mail about'),
		lookMs,
		silentMs: edgeSilentMs,
	});
	return {
		async stop() {
			watch.close();
			await sending.stop();
		},
	};
}
