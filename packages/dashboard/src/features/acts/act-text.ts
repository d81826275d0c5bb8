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

type ToldAct = Pick<RecordedAct, 'kind' | 'target' | 'details'>;

/** An act in a few words. */
export function actText({ kind, target, details }: ToldAct): string {
	if (kind === 'sign_in')
		return Object.hasOwn(signInFactorTexts, target) ? signInFactorTexts[target as SignInFactor] : actKindTexts[kind];
	if (kind === 'create_sub_user' && details?.fee !== undefined) {
		const isRefused = details.refused !== undefined;
		return isRefused ? actsTexts.createRefused(target, moneyText(details.fee)) : actsTexts.created(target);
	}
	const changed = changedText({ kind, target, details });
	return changed === '' ? actKindTexts[kind] : `${actKindTexts[kind]}: ${changed}`;
}

function changedText({ kind, target, details }: ToldAct): string {
	switch (kind) {
		case 'set_low_balance':
			if (details?.changed?.low_balance) return '';
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
		case 'forgive_debt':
		case 'create_top_up': {
			const moved = readMoneyTarget(target);
			// The id of a payment finds it in the search.
			if (moved) return [moved.username, moneyText(moved.cents), ...(details?.names ?? [])].join(', ');
			return details?.moved === undefined ? target : `${target}, ${moneyText(details.moved)}`;
		}
		case 'show_auth_key': {
			const names = target.split(' ');
			const shown = names.slice(0, NAMES_SHOWN).join(', ');
			return names.length > NAMES_SHOWN ? actsTexts.andMore(shown, names.length - NAMES_SHOWN) : shown;
		}
		case 'invite_person':
		case 'set_role': {
			const { email, role } = readRoleTarget(target);
			if (details?.changed?.role) return email;
			return role === null ? email : `${email}, ${roleTexts.names[role]}`;
		}
		case 'set_price':
			return details ? (target.split(' ')[0] ?? target) : target;
		case 'create_webhook':
		case 'update_webhook':
		case 'delete_webhook':
		case 'rotate_webhook_secret':
		case 'test_webhook':
			return details?.names?.[0] ?? target;
		case 'failed_sign_in':
		case 'failed_proof':
			return Object.hasOwn(failedFactorTexts, target) ? failedFactorTexts[target as FailedFactor] : '';
		default:
			return target;
	}
}
