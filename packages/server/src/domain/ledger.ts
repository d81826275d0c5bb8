import type { AccountBalance } from './account.ts';
import { assertBalance, isTransferAmount } from './money.ts';

/**
 * The platform's own sides of the ledger. They hold no balance: theirs is the sum of their entries.
 * A colon is in no username, so they can never be mistaken for an account.
 */
export const FUNDING = 'platform:funding';
export const FEES = 'platform:fees';

export const PLATFORM_SIDES: readonly string[] = [FUNDING, FEES];

/** The transfers between an account and the platform: which of its own sides is the other one, and whether that pays. */
const PLATFORM_TRANSFERS = {
	top_up: { side: FUNDING, pays: true },
	adjustment: { side: FUNDING, pays: false },
	create_fee: { side: FEES, pays: false },
} as const;

type PlatformTransferKind = keyof typeof PLATFORM_TRANSFERS;
export type TransferKind = PlatformTransferKind | 'give' | 'take';

/** The rules and the verification know the kinds. The tables take any kind, so that a new one needs no new table. */
export const TRANSFER_KINDS: readonly TransferKind[] = [
	...(Object.keys(PLATFORM_TRANSFERS) as PlatformTransferKind[]),
	'give',
	'take',
];

/** One movement of money: taken from the debit side, added to the credit side, never changed afterwards. */
export interface Transfer {
	/** The reseller whose money moves: all sides that are accounts belong to it. */
	readonly reseller: string;
	/** A username, or one of the platform's own sides. */
	readonly debit: string;
	readonly credit: string;
	/** USD cents, at least 1. */
	readonly amountCents: number;
	readonly kind: TransferKind;
	/** Unix milliseconds. */
	readonly atMs: number;
	/** The request that moved it, as in `X-Request-Id`. */
	readonly requestId: string;
	/** Balances after the transfer, in USD cents; `null` for the platform's own sides. */
	readonly debitBalanceCents: number | null;
	readonly creditBalanceCents: number | null;
}

/** A transfer of a whole number of cents between an account and the platform. */
export function platformTransfer(
	kind: PlatformTransferKind,
	{ reseller, username, balanceCents }: AccountBalance,
	amountCents: number,
	request: Pick<Transfer, 'atMs' | 'requestId'>,
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

/** Throws where a transfer breaks the rules of double entry, before it can be written. */
export function assertTransfer(transfer: Transfer): void {
	const { debit, credit, amountCents, kind, debitBalanceCents, creditBalanceCents } = transfer;
	if (!TRANSFER_KINDS.includes(kind)) throw new Error('a transfer must be of a known kind');
	if (!isTransferAmount(amountCents)) throw new Error('a transfer must move a whole number of cents from 1 on');
	if (debit === credit) throw new Error('a transfer must have two different sides');
	if (isPlatformSide(debit) !== (debitBalanceCents === null)) throw new Error('the debit side has a wrong balance');
	if (isPlatformSide(credit) !== (creditBalanceCents === null)) throw new Error('the credit side has a wrong balance');
	if (debitBalanceCents !== null) assertBalance(debitBalanceCents, 'the debit side');
	if (creditBalanceCents !== null) assertBalance(creditBalanceCents, 'the credit side');
}

function isPlatformSide(side: string): boolean {
	return PLATFORM_SIDES.includes(side);
}
