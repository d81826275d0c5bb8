import type { UnknownOutcome } from './errors.ts';

/**
 * What a sub-user's balance, in USD cents, tells of a transfer: it is what it was before, or what it is after it.
 * `unclear` if it is neither, or if what is known of the transfer does not suffice. It tells what it does only if
 * nobody else moves balance; and that a transfer is not done, only if it cannot take effect any more.
 */
export function judgeTransfer(known: Omit<UnknownOutcome, 'username'>, balanceCents: number): TransferVerdict {
	const { operation, amountCents, balanceBeforeCents: before, isDisturbed } = known;
	const isTransfer = operation === 'give' || operation === 'take';
	if (!isTransfer || amountCents === undefined || before === undefined || isDisturbed) return 'unclear';
	if (balanceCents === before) return 'not_done';
	const after = operation === 'give' ? before + amountCents : before - amountCents;
	return balanceCents === after ? 'done' : 'unclear';
}

export type TransferVerdict = 'done' | 'not_done' | 'unclear';
