import type { RecordedChange as ChangeView } from '@bursar/contract';
import { CHANGE_KEPT_MS } from '@bursar/contract/change-id';
import type { ErrorCode } from '@bursar/contract/errors';

/** Names a change. Each reseller has ids of its own. */
export interface ChangeName {
	readonly reseller: string;
	readonly id: string;
}

/** The kinds of commands that may have an id. */
type ChangeKind = Exclude<ChangeView['kind'], 'create' | 'create_with'> | 'create_sub_user' | 'create_sub_user_with';

/** What a change with an id did. It is recorded in the transaction of the change, and has no secret. */
export interface RecordedChange extends ChangeName {
	/** The kind of the command. */
	readonly kind: ChangeKind;
	/** `null` if a create had no usable username. */
	readonly username: string | null;
	/** USD cents: what was moved or given, the fee of a create, or what a delete returned. `null` for others. */
	readonly amountCents: number | null;
	/** The sub-user's balance afterwards, in USD cents. `null` if the change moves none, and for a create that failed. */
	readonly balanceCents: number | null;
	/** How a create was answered that cost its fee and failed. */
	readonly error: ErrorCode | null;
	/** Unix milliseconds. */
	readonly atMs: number;
	readonly requestId: string;
}

/**
 * For each change that is recorded, this many may be forgotten. So they never pile up.
 * @bound Old changes that are forgotten for each change that is recorded: later changes forget the rest.
 */
export const FORGOTTEN_FOR_EACH = 2;

/** Changes that were recorded before this time may be forgotten. Both times are in Unix milliseconds. */
export function changesForgottenBeforeMs(nowMs: number): number {
	return nowMs - CHANGE_KEPT_MS;
}
