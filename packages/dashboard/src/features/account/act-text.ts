import { type RecordedAct, readMoneyTarget, type SignInFactor } from '@bursar/contract/dashboard';
import { moneyText } from '../../format/money.ts';
import { accountTexts } from '../../texts/account.ts';

/** What somebody did, in a few words. */
export function actText({ kind, target }: Pick<RecordedAct, 'kind' | 'target'>): string {
	const { kinds, signInFactors } = accountTexts;
	if (kind === 'sign_in')
		return Object.hasOwn(signInFactors, target) ? signInFactors[target as SignInFactor] : kinds[kind];
	const changed = changedText({ kind, target });
	return changed === '' ? kinds[kind] : `${kinds[kind]}: ${changed}`;
}

function changedText({ kind, target }: Pick<RecordedAct, 'kind' | 'target'>): string {
	switch (kind) {
		case 'set_low_balance':
			return target === '' ? accountTexts.removed : moneyText(Number(target));
		case 'give_balance':
		case 'take_balance':
		case 'top_up':
		case 'adjust': {
			const moved = readMoneyTarget(target);
			return moved ? `${moved.username}, ${moneyText(moved.cents)}` : target;
		}
		default:
			return target;
	}
}
