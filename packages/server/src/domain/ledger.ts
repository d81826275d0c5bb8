import { isMovementReference } from '@bursar/contract/reference';
import type { AccountBalance } from './account.ts';
import { assertBalance, isTransferAmount } from './money.ts';
import type { Program } from './people/act.ts';

/**
 * The platform's own sides of the ledger. They store no balance: the sum of their entries is their balance. A username
 * cannot contain a colon, so they cannot be mistaken for accounts.
 */
export const FUNDING = 'platform:funding';
export const FEES = 'platform:fees';
const USAGE = 'platform:usage';
/** What it pays is owed by the reseller, so its balance is the debts of all resellers, below zero. */
export const DEBT = 'platform:debt';

export const PLATFORM_SIDES: readonly string[] = [FUNDING, FEES, USAGE, DEBT];

/** The transfers between an account and the platform: the platform's side, and whether that side pays. */
const PLATFORM_TRANSFERS = {
	top_up: { side: FUNDING, pays: true },
	adjustment: { side: FUNDING, pays: false },
	create_fee: { side: FEES, pays: false },
	usage: { side: USAGE, pays: false },
	debt_payment: { side: DEBT, pays: false },
} as const;

/** The transfers between two sides of the platform. They change no balance of an account. */
const DEBT_TRANSFERS = {
	debt: { debit: DEBT, credit: USAGE },
	debt_forgiven: { debit: FUNDING, credit: DEBT },
	/** A payment was taken back, and the balance did not cover it. */
	refund_debt: { debit: DEBT, credit: FUNDING },
} as const;

type PlatformTransferKind = keyof typeof PLATFORM_TRANSFERS;
type DebtTransferKind = keyof typeof DEBT_TRANSFERS;
export type TransferKind = PlatformTransferKind | DebtTransferKind | 'give' | 'take';

/** The rules and the verification know the kinds. The tables accept any kind, so that a new kind changes no table. */
export const TRANSFER_KINDS: readonly TransferKind[] = [
	...(Object.keys(PLATFORM_TRANSFERS) as PlatformTransferKind[]),
	...(Object.keys(DEBT_TRANSFERS) as DebtTransferKind[]),
	'give',
	'take',
];

/** One movement of money: taken from the debit side, added to the credit side, never changed afterwards. */
export interface Transfer {
	/** The reseller whose money moves. Each side that is an account belongs to it. */
	readonly reseller: string;
	/** A username, or one of the platform's own sides. */
	readonly debit: string;
	readonly credit: string;
	/** USD cents, at least 1. */
	readonly amountCents: number;
	readonly kind: TransferKind;
	/** Unix milliseconds. */
	readonly atMs: number;
	/** The `X-Request-Id` of the request that moved the money. */
	readonly requestId: string;
	/** Balances after the transfer, in USD cents; `null` for the platform's own sides. */
	readonly debitBalanceCents: number | null;
	readonly creditBalanceCents: number | null;
	/** The program that moved the money over the API. Absent if a person or the operator did. */
	readonly program?: Program;
	/**
	 * The account that it is about, if neither side names it. Of a create fee: the name that was asked for, also if it was
	 * taken; absent if it could be no name. Of a debt: the account that used the bandwidth.
	 */
	readonly aboutUsername?: string;
	/** Of a give or a take: what it is for, as the reseller names it. `isMovementReference` says what it may be. */
	readonly reference?: string;
}

/** A transfer with its place in the ledger. */
export interface PostedTransfer {
	/** Counts the movements of its reseller. */
	readonly id: number;
	/** The reseller's own name for the change that made it. */
	readonly changeId: string | null;
	readonly transfer: Transfer;
}

/** What the reseller's people noted on the give or the take of a request. It never changes. */
export interface MovementNote {
	readonly requestId: string;
	readonly reseller: string;
	/** Not empty. */
	readonly note: string;
}

/** A transfer of a whole number of cents between an account and the platform. */
export function platformTransfer(
	kind: PlatformTransferKind,
	{ reseller, username, balanceCents }: AccountBalance,
	amountCents: number,
	request: Pick<Transfer, 'atMs' | 'requestId' | 'program' | 'aboutUsername'>,
): Transfer {
	const { side, pays } = PLATFORM_TRANSFERS[kind];
	const transfer = { reseller, amountCents, kind, ...request };
	return pays
		? {
				...transfer,
				debit: side,
				credit: username,
				debitBalanceCents: null,
				creditBalanceCents: balanceCents + amountCents,
			}
		: {
				...transfer,
				debit: username,
				credit: side,
				debitBalanceCents: balanceCents - amountCents,
				creditBalanceCents: null,
			};
}

/** A transfer of a whole number of cents, which the payer has, between a reseller and its sub-user. */
export function subUserTransfer(
	kind: 'give' | 'take',
	from: AccountBalance,
	to: AccountBalance,
	amountCents: number,
	request: Pick<Transfer, 'atMs' | 'requestId' | 'program' | 'reference'>,
): Transfer {
	return {
		reseller: from.reseller,
		debit: from.username,
		credit: to.username,
		amountCents,
		kind,
		debitBalanceCents: from.balanceCents - amountCents,
		creditBalanceCents: to.balanceCents + amountCents,
		...request,
	};
}

/** A transfer that adds to the debt of a reseller, or takes from it, without moving a balance. */
export function debtTransfer(
	kind: DebtTransferKind,
	reseller: string,
	amountCents: number,
	request: Pick<Transfer, 'atMs' | 'requestId' | 'aboutUsername'>,
): Transfer {
	const balances = { debitBalanceCents: null, creditBalanceCents: null };
	return { reseller, amountCents, kind, ...DEBT_TRANSFERS[kind], ...balances, ...request };
}

/** Throws if a transfer breaks the rules of double entry. Called before the transfer is written. */
export function assertTransfer(transfer: Transfer): void {
	const { debit, credit, amountCents, kind, debitBalanceCents, creditBalanceCents, reference } = transfer;
	if (!TRANSFER_KINDS.includes(kind)) throw new Error('a transfer must be of a known kind');
	if (!isTransferAmount(amountCents)) throw new Error('a transfer must move a whole number of cents, at least 1');
	if (debit === credit) throw new Error('a transfer must have two different sides');
	if (isPlatformSide(debit) !== (debitBalanceCents === null)) throw new Error('the debit side has a wrong balance');
	if (isPlatformSide(credit) !== (creditBalanceCents === null)) throw new Error('the credit side has a wrong balance');
	if (debitBalanceCents !== null) assertBalance(debitBalanceCents, 'the debit side');
	if (creditBalanceCents !== null) assertBalance(creditBalanceCents, 'the credit side');
	if (reference !== undefined && !isMovementReference(reference))
		throw new Error('a transfer has a malformed reference');
}

function isPlatformSide(side: string): boolean {
	return PLATFORM_SIDES.includes(side);
}
