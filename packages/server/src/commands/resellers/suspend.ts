import type { Books } from '../../domain/books.ts';
import type { AccountCommand } from '../command.ts';
import { happened } from '../happened.ts';
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
	giver: 'person',
	setsState: true,
	needs: () => ({ ownTerms: true }),
	decide: (books, command, nowMs) => setSuspended(books, command, nowMs, true),
};

export const resumeReseller: Verb<ResumeReseller, Suspension, 'unknown_reseller'> = {
	kind: 'resume_reseller',
	calls: ['/operator/resume'],
	giver: 'person',
	setsState: true,
	needs: () => ({ ownTerms: true }),
	decide: (books, command, nowMs) => setSuspended(books, command, nowMs, false),
};

function setSuspended(
	books: Books,
	command: SuspendReseller | ResumeReseller,
	nowMs: number,
	isSuspended: boolean,
): Decision<Suspension, 'unknown_reseller'> {
	const { reseller } = command;
	if (!books.account(reseller, reseller)) return refused('unknown_reseller');
	const outcome = { ok: true, username: reseller, isSuspended } as const;
	if (books.isSuspended(reseller) === isSuspended) return { outcome, effects: [] };
	const before = books.termsOf({ reseller, username: reseller });
	const terms = { ...before, suspendedAtMs: isSuspended ? nowMs : null };
	return {
		outcome,
		effects: [
			{ kind: 'change_terms', change: { reseller, username: reseller, terms } },
			happened(command, nowMs, isSuspended ? 'reseller.suspended' : 'reseller.resumed', {}),
		],
	};
}
