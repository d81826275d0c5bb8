import type { UnknownOutcome } from './errors.ts';

/**
 * What a sub-user's balance, in USD cents, tells about a transfer. `not_done`: it is the balance from before the
 * transfer. `done`: it is the balance after it. `unclear`: it is neither, or too little is known of the transfer.
 * The verdict is right only if no other client moves balance. `not_done` is final only once the transfer has expired, and
 * never if `known.mayHappenLater` is set.
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
