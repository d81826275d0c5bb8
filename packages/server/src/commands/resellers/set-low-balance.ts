import { isBalance } from '../../domain/money.ts';
import { choosing } from '../mail/choose.ts';
import { DONE, type Done, type OwnChange, ownVerb, refused } from '../person-verb.ts';

export interface SetLowBalance extends OwnChange {
	readonly kind: 'set_low_balance';
	/** USD cents; `null`: never. */
	readonly lowBalanceCents: number | null;
	/** Whether the person wants the mail about it from now on. If not, the choice stays. */
	readonly wantsMail?: boolean | undefined;
}

/** Sets below which balance the overview of the person's reseller warns. */
export const setLowBalance = ownVerb<SetLowBalance, Done, 'invalid_amount'>({
	kind: 'set_low_balance',
	calls: ['/overview/low-balance'],
	isSavedAgain: true,
	needs: ({ person }) => ({ lowBalanceOf: person, mailChoice: { person, mail: 'low_balance' } }),
	decide(facts, { lowBalanceCents, wantsMail = false }, _nowMs, { record }) {
		const { id, reseller } = record.person;
		if (reseller === null) throw new Error('an operator has no balance of which to be warned');
		if (lowBalanceCents !== null && !isBalance(lowBalanceCents)) return refused('invalid_amount');
		const mail = wantsMail ? choosing(facts.mailChoice, id, 'low_balance', true) : [];
		if (lowBalanceCents === facts.lowBalanceCents) return { outcome: DONE, effects: mail };
		return { outcome: DONE, effects: [{ kind: 'set_low_balance', reseller, lowBalanceCents }, ...mail] };
	},
});
