import type { Bank } from '../../bank/bank.ts';
import type { ApiReads } from '../../store/tables/accounts/reads.ts';
import type { ResellerListReads } from '../../store/tables/accounts/resellers.ts';
import type { ActReads } from '../../store/tables/changes/acts.ts';
import type { OperatorTokenReads } from '../../store/tables/tokens/operator-tokens.ts';

/** Everything that the calls of the operator's API are built from. Each takes only what it needs. */
export interface OperatorDependencies {
	/** What is read of accounts: refused while a change may still appear. */
	readonly accounts: Pick<ApiReads, 'findAccount' | 'findDebt' | 'findPrice'>;
	readonly store: Pick<ResellerListReads, 'findSuspension'> & Pick<ActReads, 'findAct'> & OperatorTokenReads;
	readonly bank: Pick<Bank, 'submit' | 'changePerson' | 'keep'>;
	/** Called after the tokens of a reseller were changed. */
	readonly forgetTokens: () => void;
	/** The store's time, in Unix milliseconds. */
	readonly nowMs: () => number;
}
