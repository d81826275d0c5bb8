import { NotTestable } from '../check-errors.ts';
import type { Rule } from '../rule.ts';

/** What the service may answer at any time, and cannot be asked for. */
export const faultRules: readonly Rule[] = [
	{
		name: 'faults.unavailable',
		guarantee: 'Where certainly nothing was done, the answer is 503 with Retry-After.',
		source: 'design §3, Status, table',
		check: cannotBeBroughtAbout,
	},
	{
		name: 'faults.outcome-unknown',
		guarantee: 'Where the outcome could not be learned, the answer is 503 without Retry-After.',
		source: 'design §3, Status, table',
		check: cannotBeBroughtAbout,
	},
	{
		name: 'faults.internal-error',
		guarantee: 'A bug is answered 500, and nothing was done.',
		source: 'design §3, Status, table',
		check: cannotBeBroughtAbout,
	},
	{
		name: 'faults.balance-limit',
		guarantee: 'What would lead a balance past 2^53-1 cents is refused whole.',
		source: 'design §3, Amounts',
		async check() {
			throw new NotTestable('needs more money than one reseller can hold');
		},
	},
];

async function cannotBeBroughtAbout(): Promise<void> {
	throw new NotTestable('a fault of the service cannot be brought about from outside');
}
