import type { Bank } from '../../bank/bank.ts';
import type { TopUps } from '../../payments/top-ups.ts';
import type { ApiReads } from '../../store/tables/accounts/reads.ts';
import type { ResellerListReads } from '../../store/tables/accounts/resellers.ts';
import type { ActReads } from '../../store/tables/changes/acts.ts';
import type { EdgeReads } from '../../store/tables/edges/edges.ts';
import type { PeopleListReads } from '../../store/tables/people/lists.ts';
import type { OperatorTokenReads } from '../../store/tables/tokens/operator-tokens.ts';
import type { UsageReads } from '../../store/tables/usage/reads.ts';
import type { BandwidthSums } from '../bandwidth/sums.ts';
import type { ClientAddresses } from '../server/client-address.ts';

/** Everything that the calls of the operator's API are built from. Each takes only what it needs. */
export interface OperatorDependencies {
	/** What is read of accounts: refused while a change may still appear. */
	readonly accounts: Pick<
		ApiReads,
		| ('findAccount' | 'findDebt' | 'findPrice' | 'listTokens')
		| ('listSubUsersInState' | 'findDetails' | 'readPairBounds' | 'listRefusals' | 'listMovements')
		| ('findPayment' | 'listPayments')
	>;
	readonly store: Pick<ResellerListReads, 'findOwnTerms' | 'listResellersBy'> &
		Pick<PeopleListReads, 'listPeopleOf'> &
		Pick<EdgeReads, 'listEdges'> &
		Pick<UsageReads, 'findUsageOn'> &
		Pick<ActReads, 'findAct'> &
		BandwidthSums &
		OperatorTokenReads;
	readonly bank: Pick<Bank, 'submit' | 'changePerson' | 'keep'>;
	readonly topUps: TopUps;
	readonly addressOf: ClientAddresses;
	/** Called after the tokens of a reseller were changed. */
	readonly forgetTokens: () => void;
	/** The address of the dashboard. */
	readonly publicUrl: () => string;
	/** Where proxy hosts reach the service; `undefined` if the settings do not tell. */
	readonly edgeUrl: () => string | undefined;
	/** The store's time, in Unix milliseconds. */
	readonly nowMs: () => number;
	/** The time that the answers show, in Unix milliseconds. */
	readonly answersNowMs: () => number;
}
