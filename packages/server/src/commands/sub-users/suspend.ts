import type { Verb } from '../verb.ts';
import { changeTerms, type NewTerms, type TermsCommand, termsNeeds } from './change-terms.ts';

export interface SuspendSubUser extends TermsCommand {
	readonly kind: 'suspend_sub_user';
}

export interface ResumeSubUser extends TermsCommand {
	readonly kind: 'resume_sub_user';
}

/** The pair of the sub-user is refused from now on. Its balance stays. */
export const suspendSubUser: Verb<SuspendSubUser, NewTerms, 'unknown_sub_user'> = {
	kind: 'suspend_sub_user',
	calls: ['/sub-users/suspend'],
	isResellersChange: true,
	needs: termsNeeds,
	decide: (books, command, nowMs) =>
		changeTerms<never>(
			...([books, command, nowMs] as const),
			(before) => ({ ...before, suspendedAtMs: before.suspendedAtMs ?? nowMs }),
			'sub_user.suspended',
		),
};

/** The pair of the sub-user works again. */
export const resumeSubUser: Verb<ResumeSubUser, NewTerms, 'unknown_sub_user'> = {
	kind: 'resume_sub_user',
	calls: ['/sub-users/resume'],
	isResellersChange: true,
	needs: termsNeeds,
	decide: (books, command, nowMs) =>
		changeTerms<never>(
			...([books, command, nowMs] as const),
			(before) => ({ ...before, suspendedAtMs: null }),
			'sub_user.resumed',
		),
};
