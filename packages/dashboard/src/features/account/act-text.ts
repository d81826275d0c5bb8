import type { RecordedAct, SignInFactor } from '@bursar/contract/dashboard';
import { moneyText } from '../../format/money.ts';
import { accountTexts } from '../../texts/account.ts';

/** What somebody did, in a few words. */
export function actText({ kind, target }: Pick<RecordedAct, 'kind' | 'target'>): string {
	const { kinds, signInFactors } = accountTexts;
	if (kind === 'sign_in')
		return Object.hasOwn(signInFactors, target) ? signInFactors[target as SignInFactor] : kinds[kind];
	// The store keeps USD cents.
	const shown = kind === 'set_low_balance' && /^\d+$/.test(target) ? moneyText(Number(target)) : target;
	return shown === '' ? kinds[kind] : `${kinds[kind]}: ${shown}`;
}
