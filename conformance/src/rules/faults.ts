import { NotTestable } from '../check-errors.ts';
import type { Rule } from '../rule.ts';

/** What the service may answer at any time, and cannot be asked for. */
export const faultRules: readonly Rule[] = [
	{
		name: 'faults.unavailable',
		guarantee: 'Where certainly nothing was done, the answer is 503 with Retry-After.',
		source: 'docs/api.md 4.6 Unavailable',
		check: cannotBeBroughtAbout,
	},
	{
		name: 'faults.outcome-unknown',
		guarantee: 'Where the outcome could not be learned, the answer is 503 without Retry-After.',
		source: 'docs/api.md 4.7 Outcome unknown',
		check: cannotBeBroughtAbout,
	},
	{
		name: 'faults.internal-error',
		guarantee: 'A bug is answered 500, and nothing was done.',
		source: 'docs/api.md 4.2 Status and code',
		check: cannotBeBroughtAbout,
	},
	{
		name: 'faults.balance-limit',
		guarantee: 'What would lead a balance past 2^53-1 cents is refused whole.',
		source: 'docs/api.md 4.3 Exceptions to the order; docs/api.md 6.2 Amounts and balances',
		async check() {
			throw new NotTestable('needs more money than one reseller can hold');
		},
	},
];

async function cannotBeBroughtAbout(): Promise<void> {
	throw new NotTestable('a fault of the service cannot be brought about from outside');
}
