import type { Books } from '../../domain/books.ts';
import { NO_TERMS } from '../../domain/terms.ts';
import type { AccountCommand } from '../command.ts';
import { type Decision, refused, type Verb } from '../verb.ts';

export interface SuspendReseller extends AccountCommand {
	readonly kind: 'suspend_reseller';
}

export interface ResumeReseller extends AccountCommand {
	readonly kind: 'resume_reseller';
}

interface Suspension {
	readonly ok: true;
	/** The reseller. */
	readonly username: string;
	readonly isSuspended: boolean;
}

/** The pairs of a suspended reseller and of its sub-users are refused, and it changes nothing. */
export const suspendReseller: Verb<SuspendReseller, Suspension, 'unknown_reseller'> = {
	kind: 'suspend_reseller',
	calls: ['/operator/suspend'],
	decide: (books, { reseller }, nowMs) => setSuspended(books, reseller, nowMs),
};

export const resumeReseller: Verb<ResumeReseller, Suspension, 'unknown_reseller'> = {
	kind: 'resume_reseller',
	calls: ['/operator/resume'],
	decide: (books, { reseller }) => setSuspended(books, reseller, null),
};

function setSuspended(
	books: Books,
	reseller: string,
	suspendedAtMs: number | null,
): Decision<Suspension, 'unknown_reseller'> {
	if (!books.account(reseller, reseller)) return refused('unknown_reseller');
	const isSuspended = suspendedAtMs !== null;
	const outcome = { ok: true, username: reseller, isSuspended } as const;
	if (books.isSuspended(reseller) === isSuspended) return { outcome, effects: [] };
	const terms = { ...NO_TERMS, suspendedAtMs };
	return { outcome, effects: [{ kind: 'change_terms', change: { reseller, username: reseller, terms } }] };
}
