import { CHANGE_KEPT_MS } from '@bursar/contract/change-id';
import type { ErrorCode } from '@bursar/contract/errors';
import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import type { Command, Outcome } from './command.ts';

/** The commands that may have an id. */
export type ChangeCommand = Extract<Command, { readonly changeId?: string | undefined }>;

/** What resellers change: money and sub-users. */
export const CHANGE_KINDS: ReadonlySet<Command['kind']> = new Set<ChangeCommand['kind']>([
	'create_sub_user',
	'give_balance',
	'take_balance',
	'reset_auth_key',
	'suspend_sub_user',
	'resume_sub_user',
	'set_limits',
	'set_note',
	'delete_sub_user',
]);

/** Names a change. Each reseller has ids of its own. */
export interface ChangeName {
	readonly reseller: string;
	readonly id: string;
}

/** What a change with an id did. It is recorded in the transaction of the change, and has no secret. */
export interface RecordedChange extends ChangeName {
	readonly kind: ChangeCommand['kind'];
	/** `null` if a create had no usable username. */
	readonly username: string | null;
	/** USD cents: what was moved, the fee of a create, or what a delete returned. `null` for others. */
	readonly amountCents: number | null;
	/** The sub-user's balance afterwards, in USD cents. `null` if the change moves none, and for a create that failed. */
	readonly balanceCents: number | null;
	/** How a create was answered that cost its fee and failed. */
	readonly error: ErrorCode | null;
	/** Unix milliseconds. */
	readonly atMs: number;
	readonly requestId: string;
}

/** The record of a command that changed something. `nowMs` is in Unix milliseconds. */
export function recordedChange(id: string, command: ChangeCommand, outcome: Outcome, nowMs: number): RecordedChange {
	const { reseller, kind, username = null, requestId } = command;
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
	if (command.kind !== 'create_sub_user') throw new Error('a change was refused, but has an effect');
	return command.username === undefined ? (command.unusableAs ?? 'invalid_username') : 'username_taken';
}

/** For each change that is recorded, this many may be forgotten. So they never pile up. */
export const FORGOTTEN_FOR_EACH = 2;

/** Changes that were recorded before this time may be forgotten. Both times are in Unix milliseconds. */
export function changesForgottenBeforeMs(nowMs: number): number {
	return nowMs - CHANGE_KEPT_MS;
}
