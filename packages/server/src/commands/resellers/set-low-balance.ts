import { isBalance } from '../../domain/money.ts';
import { DONE, type Done, type OwnChange, ownVerb, refused } from '../person-verb.ts';

export interface SetLowBalance extends OwnChange {
	readonly kind: 'set_low_balance';
	/** USD cents; `null`: never. */
	readonly lowBalanceCents: number | null;
}

/** Sets below which balance the overview of the person's reseller warns. */
export const setLowBalance = ownVerb<SetLowBalance, Done, 'invalid_amount'>({
	kind: 'set_low_balance',
	calls: ['/overview/low-balance'],
	isSavedAgain: true,
	needs: ({ person }) => ({ lowBalanceOf: person }),
	decide(facts, { lowBalanceCents }, _nowMs, { record }) {
		const { reseller } = record.person;
		if (reseller === null) throw new Error('an operator has no balance of which to be warned');
		if (lowBalanceCents !== null && !isBalance(lowBalanceCents)) return refused('invalid_amount');
		if (lowBalanceCents === facts.lowBalanceCents) return { outcome: DONE, effects: [] };
		return { outcome: DONE, effects: [{ kind: 'set_low_balance', reseller, lowBalanceCents }] };
	},
});
