import { type ActKind, moneyTarget, roleTarget } from '@bursar/contract/dashboard';
import { priceTarget } from '@bursar/contract/price';
import { startOfDayMs } from '../domain/usage.ts';
import { changedParts } from './brand/set-brand.ts';
import type { Command, PersonCommand } from './registry.ts';

/** What an act says was done, and to what. */
export interface Done {
	readonly kind: ActKind;
	readonly target: string;
}

/**
 * What is recorded of a command that the operator gives on the command line or with a program; `undefined` if only people
 * or resellers give it.
 */
export function actOf(command: Command | PersonCommand): Done | undefined {
	switch (command.kind) {
		case 'create_reseller':
		case 'suspend_reseller':
		case 'resume_reseller':
		case 'note_reseller':
		case 'rotate_token':
			return { kind: command.kind, target: command.reseller };
		case 'revoke_token':
			return { kind: 'end_all_tokens', target: command.reseller };
		case 'credit_reseller': {
			const { reseller, amountCents } = command;
			const kind = amountCents > 0 ? 'top_up' : 'adjust';
			return { kind, target: moneyTarget(reseller, Math.abs(amountCents)) };
		}
		case 'forgive_debt':
		case 'create_top_up':
			return { kind: command.kind, target: moneyTarget(command.reseller, command.amountCents) };
		case 'set_price':
			return {
				kind: command.kind,
				target: priceTarget(command.reseller, command.microUsdPerGb, command.debtLineCents),
			};
		case 'invite_person':
		case 'set_role':
			return { kind: command.kind, target: roleTarget(command.email, command.role) };
		case 'reset_person':
		case 'lock_person':
		case 'unlock_person':
		case 'remove_person':
			return { kind: command.kind, target: command.email };
		case 'make_claim':
		case 'end_all_sessions':
		case 'pause_webhooks':
		case 'resume_webhooks':
			return { kind: command.kind, target: '' };
		case 'begin_verification':
			return { kind: 'verify_ledger', target: '' };
		case 'correct_usage': {
			const day = new Date(startOfDayMs(command.day)).toISOString().slice(0, 10);
			return { kind: command.kind, target: `${command.username} ${day}` };
		}
		case 'set_brand':
			return { kind: command.kind, target: changedParts(command.change) };
		case 'end_token':
			return { kind: command.kind, target: command.id };
		case 'ask_payment_read':
		// The command line reads it itself.
		case 'begin_payment_read':
			return { kind: 'ask_payment_read', target: command.payment };
		case 'create_operator_token':
		case 'end_operator_token':
		case 'create_edge':
		case 'link_edge':
		case 'revoke_edge':
			return { kind: command.kind, target: command.name };
		default:
			return undefined;
	}
}
