import { tokenTexts } from '../../texts/token.ts';
import { clockText } from './countdown.ts';

/** Until when programs must have the new token. */
export function deadlineText(secondsUntilExpiry: number): string {
	return secondsUntilExpiry === 0
		? tokenTexts.previousExpired
		: tokenTexts.previousWorks(clockText(secondsUntilExpiry));
}
