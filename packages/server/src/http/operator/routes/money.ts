import type { operatorOperations, RequestOf } from '@bursar/contract/operator';
import { normalizeUsername } from '@bursar/contract/username';
import type { Call } from '../call.ts';
import type { Calls, Reply } from '../calls.ts';
import { refusedBy } from '../refusals.ts';

type Payment = RequestOf<(typeof operatorOperations)['creditReseller']>;

/** Money in from outside and back out, prices and debts. */
export function moneyCalls(calls: Calls): void {
	calls.answer('creditReseller', (body, call) => pay<'creditReseller'>(body, body.amount_usd_cents, call));
	calls.answer('takeBack', (body, call) => pay<'takeBack'>(body, -body.amount_usd_cents, call));

	calls.answer('setPrice', async ({ username, price: microUsdPerGb, debt_line: debtLineCents }, call) => {
		const reseller = normalizeUsername(username);
		if (reseller === undefined) return { refused: 'unknown_reseller' };
		const outcome = await call.submit({ kind: 'set_price', reseller, microUsdPerGb, debtLineCents });
		if (!outcome.ok) return refusedBy(outcome);
		const { price, debtLineCents: lineNow } = outcome;
		return { data: { username: reseller, price: price?.microUsdPerGb ?? null, debt_line: lineNow } };
	});

	calls.answer('forgiveDebt', async ({ username, amount_usd_cents: amountCents, reason }, call) => {
		const reseller = normalizeUsername(username);
		if (reseller === undefined) return { refused: 'unknown_reseller' };
		const outcome = await call.submit({ kind: 'forgive_debt', reseller, amountCents, reason });
		return outcome.ok ? { data: { username: reseller, debt: outcome.debtCents } } : refusedBy(outcome);
	});
}

async function pay<Name extends 'creditReseller' | 'takeBack'>(
	{ username, reference, reason }: Payment,
	amountCents: number,
	call: Call,
): Promise<Reply<Name>> {
	const reseller = normalizeUsername(username);
	if (reseller === undefined) return { refused: 'unknown_reseller' } as Reply<Name>;
	const outcome = await call.submit({ kind: 'credit_reseller', reseller, amountCents, reference, reason });
	// Only a credit can pass the largest balance, and only what is taken back must be there.
	if (!outcome.ok) return refusedBy(outcome) as Reply<Name>;
	return { data: { username: reseller, balance: outcome.balanceCents, repeated: outcome.repeated } } as Reply<Name>;
}
