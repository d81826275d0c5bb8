import type { RecordedAct, SignInFactor } from '@bursar/contract/dashboard';
import { accountTexts } from '../../texts/account.ts';

/** What somebody did, in a few words. */
export function actText({ kind, target }: Pick<RecordedAct, 'kind' | 'target'>): string {
	const { kinds, signInFactors } = accountTexts;
	if (kind === 'sign_in')
		return Object.hasOwn(signInFactors, target) ? signInFactors[target as SignInFactor] : kinds[kind];
	return target === '' ? kinds[kind] : `${kinds[kind]}: ${target}`;
}
