import type { Limits } from '../../domain/terms.ts';
import type { Verb } from '../verb.ts';
import { changeTerms, type NewTerms, type TermsCommand, termsNeeds, withLimits } from './change-terms.ts';

export interface SetLimits extends TermsCommand {
	readonly kind: 'set_limits';
	/** `null` removes a limit. One that is absent stays as it is. */
	readonly limits: Partial<Limits>;
}

/** Limits what a sub-user may use. */
export const setLimits: Verb<SetLimits, NewTerms, 'unknown_sub_user' | 'invalid_limits'> = {
	kind: 'set_limits',
	calls: ['/sub-users/limits'],
	isResellersChange: true,
	needs: termsNeeds,
	decide: (books, command, nowMs) =>
		changeTerms<'invalid_limits'>(
			...([books, command, nowMs] as const),
			(before) => withLimits(before, command.limits),
			'sub_user.limits_set',
		),
};
