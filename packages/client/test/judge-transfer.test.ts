import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeTransfer } from '../src/index.ts';

test('the balance from before a transfer means not done, the balance after it means done, any other is unclear', () => {
	const give = { operation: 'give', amountCents: 30, balanceBeforeCents: 100 } as const;
	const take = { ...give, operation: 'take' } as const;
	for (const [known, balanceCents, verdict] of [
		[give, 100, 'not_done'],
		[give, 130, 'done'],
		[give, 70, 'unclear'],
		[take, 70, 'done'],
		[take, 130, 'unclear'],
		[take, 100, 'not_done'],
		[{ ...give, isDisturbed: true }, 130, 'unclear'],
		[{ ...give, isDisturbed: true }, 100, 'unclear'],
		[{ ...give, balanceBeforeCents: undefined }, 130, 'unclear'],
		[{ ...give, amountCents: undefined }, 100, 'unclear'],
		[{ ...give, operation: 'create' }, 100, 'unclear'],
	] as const) {
		assert.equal(judgeTransfer(known, balanceCents), verdict, JSON.stringify([known, balanceCents]));
	}
});
