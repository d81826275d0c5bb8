import { expectEqual } from '../expect.ts';
import type { Rule } from '../rule.ts';

/** The cost of the whole run. Tested last. */
export const spendingRules: readonly Rule[] = [
	{
		name: 'spending.every-cent',
		guarantee: 'After all balance is taken back, the reseller has lost exactly the fees of this run.',
		source: 'docs/api.md 8.2 The fee; docs/api.md 9 Other changes',
		async check({ api, spending, subUsers, openingBalanceCents }) {
			expectEqual('sub-users that still hold balance', await subUsers.takeBack(), []);
			const expectedCents = openingBalanceCents - spending.feesCentsOf(api.token);
			expectEqual("the reseller's balance", await api.balance(), expectedCents);
		},
	},
];
