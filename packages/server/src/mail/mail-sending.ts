import type { Bank } from '../bank/bank.ts';
import { LEASE_MS, type TakenMail, type TryEnd } from '../domain/mail/mail.ts';
import type { Store } from '../store/store.ts';
import type { MailReads } from '../store/tables/mail/reads.ts';
import { type Letter, SMTP_LIMITS, SmtpError, type SmtpSession } from './smtp.ts';

/** How often a process looks for due mails, in milliseconds. Each time, it sends `MAILS_AT_ONCE` at most. */
const LOOK_MS = 10_000;
/** @bound The mail that is being sent goes on once the service stops: then another process sends it later. */
const STOP_MS = 2_000;

/**
 * Sends the mails of the outbox. A process takes some, sends one after the other over one connection, and says of each
 * what became of it. If it dies in between, the mail is sent again: at least once. No other process takes it meanwhile.
 */
export interface MailSending {
	/** Takes no more mails, and gives back those that it has not begun. */
	stop(): Promise<void>;
}

export interface MailObserver {
	/** Called with how each try ended. */
	ended(kind: TryEnd['kind']): void;
	/** What failed is tried again. */
	failed(cause: unknown): void;
	/** A mail has left. */
	sent(): void;
}

interface SendingParts {
	readonly store: Pick<MailReads, 'hasDueMail'> & Pick<Store, 'nowMs'>;
	readonly bank: Pick<Bank, 'changePerson' | 'keep'>;
	readonly connect: () => Promise<SmtpSession>;
	readonly compose: (mail: TakenMail) => Promise<Letter>;
	readonly observer: MailObserver;
	readonly lookMs?: number | undefined;
}

export function createMailSending(parts: SendingParts): MailSending {
	const { store, bank, connect, compose, observer, lookMs = LOOK_MS } = parts;
	let isStopping = false;
	let isStored = false;
	let session: SmtpSession | undefined;
	let underWay: Promise<void> | undefined;
	const timer = setInterval(look, lookMs);
	timer.unref();

	function look(): void {
		underWay ??= sendDue()
			.catch(observer.failed)
			.finally(() => {
				underWay = undefined;
			});
	}

	async function sendDue(): Promise<void> {
		// Before this is known, no transaction writes mails.
		if (!isStored) isStored = (await bank.keep({ kind: 'mail_setup', isOn: true })).ok;
		if (!(await store.hasDueMail(store.nowMs()))) return;
		const takenAtMs = performance.now();
		const taken = await bank.changePerson({ kind: 'take_mails' });
		if (!taken.ok) throw new Error(`mails could not be taken: ${taken.error}`);
		for (let count = 0; count < taken.givenUp; count++) observer.ended('given_up');
		for (const mail of taken.mails) await end(mail, await tryToSend(mail, takenAtMs));
		session?.close();
		session = undefined;
	}

	/** If the mail server refuses us, the other mails wait too. */
	async function tryToSend(mail: TakenMail, takenAtMs: number): Promise<TryEnd> {
		const leftMs = takenAtMs + LEASE_MS - performance.now();
		// Another process may take it soon.
		if (isStopping || leftMs < SMTP_LIMITS.connectMs + 2 * SMTP_LIMITS.sendMs) return { kind: 'back' };
		try {
			const letter = await compose(mail);
			session ??= await connect();
			if (isStopping) return { kind: 'back' };
			await session.send(letter);
			observer.sent();
			return { kind: 'sent' };
		} catch (cause) {
			session?.close();
			session = undefined;
			observer.failed(cause);
			if (!(cause instanceof SmtpError)) return { kind: 'failed', failure: 'it could not be written' };
			return cause.isFinal ? { kind: 'given_up' } : { kind: 'failed', failure: cause.message };
		}
	}

	async function end(mail: TakenMail, ended: TryEnd): Promise<void> {
		observer.ended(ended.kind);
		const outcome = await bank.changePerson({ kind: 'end_try', mail, end: ended });
		if (!outcome.ok) observer.failed(new Error(`what became of a mail was not written: ${outcome.error}`));
	}

	look();
	return {
		async stop() {
			isStopping = true;
			clearInterval(timer);
			const late = setTimeout(() => session?.close(), STOP_MS);
			await underWay;
			clearTimeout(late);
		},
	};
}
