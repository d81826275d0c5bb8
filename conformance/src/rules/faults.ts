import { NotTestable } from '../check-errors.ts';
import type { Rule } from '../rule.ts';

/** Answers that the service may give at any time, and that no request can provoke. */
export const faultRules: readonly Rule[] = [
	{
		name: 'faults.unavailable',
		guarantee: 'If the service knows that nothing was done, it answers 503 with Retry-After.',
		source: 'docs/api.md 4.6 Unavailable',
		check: cannotBeProvoked,
	},
	{
		name: 'faults.outcome-unknown',
		guarantee: 'If the service does not know the outcome, it answers 503 without Retry-After.',
		source: 'docs/api.md 4.7 Outcome unknown',
		check: cannotBeProvoked,
	},
	{
		name: 'faults.internal-error',
		guarantee: 'A bug in the service answers 500, and nothing was done.',
		source: 'docs/api.md 4.2 Status and code',
		check: cannotBeProvoked,
	},
	{
		name: 'faults.balance-limit',
		guarantee: 'A change that would raise a balance above 2^53-1 cents is refused, and nothing is done.',
		source: 'docs/api.md 4.3 Exceptions to the order; docs/api.md 6.2 Amounts and balances',
		async check() {
			throw new NotTestable('this would need more money than one reseller can hold');
		},
	},
];

async function cannotBeProvoked(): Promise<void> {
	throw new NotTestable('a client cannot provoke a fault of the service');
}
