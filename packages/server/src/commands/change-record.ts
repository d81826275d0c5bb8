import type { ErrorCode } from '@bursar/contract/errors';
import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import type { RecordedChange } from '../domain/recorded-change.ts';
import type { ChangeCommand, Outcome } from './registry.ts';

/** The record of a command that changed something. `nowMs` is in Unix milliseconds. */
export function changeRecord(id: string, command: ChangeCommand, outcome: Outcome, nowMs: number): RecordedChange {
	const { reseller, kind, requestId } = command;
	const username = 'username' in command ? (command.username ?? null) : null;
	return {
		reseller,
		id,
		kind,
		username,
		amountCents: amountOf(command, outcome),
		balanceCents: balanceAfter(outcome),
		error: outcome.ok ? null : errorOf(command),
		atMs: nowMs,
		requestId,
	};
}

function amountOf(command: ChangeCommand, outcome: Outcome): number | null {
	if (command.kind === 'create_sub_user') return CREATE_FEE_CENTS;
	if (command.kind === 'create_sub_user_with') return balanceAfter(outcome) ?? 0;
	if (outcome.ok && 'returnedCents' in outcome) return outcome.returnedCents;
	return 'amountCents' in command ? command.amountCents : null;
}

function balanceAfter(outcome: Outcome): number | null {
	if (!outcome.ok) return null;
	if ('account' in outcome) return outcome.account.balanceCents;
	return 'balanceCents' in outcome ? outcome.balanceCents : null;
}

/** Only a create can fail and change something. Its name was taken, or it had no usable one. */
function errorOf(command: ChangeCommand): ErrorCode {
	if (command.kind === 'create_sub_user_with') return 'username_taken';
	if (command.kind !== 'create_sub_user') throw new Error('a change was refused, but has an effect');
	return command.username === undefined ? (command.unusableAs ?? 'invalid_username') : 'username_taken';
}
