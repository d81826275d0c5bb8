import { expectEqual } from '../expect.ts';
import type { Rule } from '../rule.ts';

/** Tested last: what the whole run has cost. */
export const spendingRules: readonly Rule[] = [
	{
		name: 'spending.every-cent',
		guarantee: 'With all balance taken back, the reseller has exactly the fees of this run less than before.',
		source: 'docs/api.md 8.2 The fee; docs/api.md 9 Other changes',
		async check({ api, spending, subUsers, openingBalanceCents }) {
			expectEqual('sub-users that still hold balance', await subUsers.takeBack(), []);
			const expectedCents = openingBalanceCents - spending.feesCentsOf(api.token);
			expectEqual("the reseller's balance", await api.balance(), expectedCents);
		},
	},
];
