import {
	type FailedFactor,
	type MailKind,
	type RecordedAct,
	readBrandTarget,
	readMoneyTarget,
	readRoleTarget,
	type SignInFactor,
} from '@bursar/contract/dashboard';
import { moneyText } from '../../format/money.ts';
import { roleTexts } from '../../forms/texts.ts';
import { mailKindTexts } from '../mail/texts.ts';
import { actKindTexts, actsTexts, brandPartTexts, failedFactorTexts, signInFactorTexts } from './texts.ts';

/** How many of the names of an act are shown. Its file has all of them. */
const NAMES_SHOWN = 3;

/** An act in a few words. */
export function actText({ kind, target }: Pick<RecordedAct, 'kind' | 'target'>): string {
	if (kind === 'sign_in')
		return Object.hasOwn(signInFactorTexts, target) ? signInFactorTexts[target as SignInFactor] : actKindTexts[kind];
	const changed = changedText({ kind, target });
	return changed === '' ? actKindTexts[kind] : `${actKindTexts[kind]}: ${changed}`;
}

function changedText({ kind, target }: Pick<RecordedAct, 'kind' | 'target'>): string {
	switch (kind) {
		case 'set_low_balance':
			return target === '' ? actsTexts.noWarning : moneyText(Number(target));
		case 'want_mail':
		case 'stop_mail':
			return Object.hasOwn(mailKindTexts, target) ? mailKindTexts[target as MailKind].name : target;
		case 'set_brand':
			return readBrandTarget(target)
				.map((part) => brandPartTexts[part])
				.join(', ');
		case 'give_balance':
		case 'take_balance':
		case 'top_up':
		case 'adjust':
		case 'forgive_debt': {
			const moved = readMoneyTarget(target);
			return moved ? `${moved.username}, ${moneyText(moved.cents)}` : target;
		}
		case 'show_auth_key': {
			const names = target.split(' ');
			const shown = names.slice(0, NAMES_SHOWN).join(', ');
			return names.length > NAMES_SHOWN ? actsTexts.andMore(shown, names.length - NAMES_SHOWN) : shown;
		}
		case 'invite_person':
		case 'set_role': {
			const { email, role } = readRoleTarget(target);
			return role === null ? email : `${email}, ${roleTexts.names[role]}`;
		}
		case 'failed_sign_in':
		case 'failed_proof':
			return Object.hasOwn(failedFactorTexts, target) ? failedFactorTexts[target as FailedFactor] : '';
		default:
			return target;
	}
}
