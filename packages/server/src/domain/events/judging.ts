import type { UnusableReason } from '@bursar/contract/sub-user-terms';
import { type PairBounds, refusalOfItself } from '../pair-state.ts';
import type { Cause, Happening } from './happening.ts';

/** What a reseller was told of an account: why a sub-user is unusable; or that the reseller's own balance is low. */
export type ToldReason = UnusableReason | 'balance_low';

/** An account of which the reseller may have to be told something. */
export interface ToJudge {
	readonly reseller: string;
	readonly username: string;
	readonly cause: Cause;
}

/** What decides what a reseller is told of an account, and what it was told last; `null`: nothing. */
export interface JudgedAccount {
	readonly reseller: string;
	readonly username: string;
	readonly bounds: PairBounds;
	/** The live balance, in USD cents. */
	readonly liveCents: number;
	/** Below it, the balance of the reseller itself is low. `null`: never, and for sub-users. */
	readonly lowBalanceCents: number | null;
	readonly told: ToldReason | null;
}

/** A change of what a reseller was told. */
export interface Telling {
	readonly reseller: string;
	readonly username: string;
	readonly told: ToldReason | null;
	/** A balance that is not low any more is no event. */
	readonly happening: Happening | undefined;
}

/** What the reseller should have been told at this time, in Unix milliseconds. */
export function reasonToTell(account: Omit<JudgedAccount, 'told'>, nowMs: number): ToldReason | null {
	const { reseller, username, bounds, liveCents, lowBalanceCents } = account;
	if (username !== reseller) return refusalOfItself(bounds, nowMs);
	return lowBalanceCents !== null && liveCents < lowBalanceCents ? 'balance_low' : null;
}

/** `undefined` if the reseller was told what holds. */
export function judge(account: JudgedAccount, cause: Cause, nowMs: number): Telling | undefined {
	const { reseller, username, liveCents, lowBalanceCents } = account;
	const told = reasonToTell(account, nowMs);
	if (told === account.told) return undefined;
	const common = { reseller, atMs: nowMs, cause };
	if (told === 'balance_low') {
		const data = { balance: liveCents, threshold: lowBalanceCents as number };
		return { reseller, username, told, happening: { ...common, type: 'reseller.balance_low', data } };
	}
	if (username === reseller) return { reseller, username, told, happening: undefined };
	const happening: Happening =
		told === null
			? { ...common, username, type: 'sub_user.usable', data: {} }
			: { ...common, username, type: 'sub_user.unusable', data: { reason: told } };
	return { reseller, username, told, happening };
}
