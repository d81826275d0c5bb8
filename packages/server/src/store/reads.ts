import { inTurns } from './gather.ts';
import { HEAVY_READS, type Reader, type ReadLanes, type ReadLimit } from './reading.ts';
import type { KeySeal } from './secrets/key-seal.ts';
import type { JsonFunctions } from './statement.ts';
import type { StoreReads } from './store.ts';
import { holdingReads } from './tables/accounts/holdings.ts';
import type { FindingPairs } from './tables/accounts/pair.ts';
import { type FindAccounts, resellerReads } from './tables/accounts/reads.ts';
import { refusedReads } from './tables/accounts/refused.ts';
import { resellerListReads } from './tables/accounts/resellers.ts';
import { searchReads } from './tables/accounts/search.ts';
import { subUserReads } from './tables/accounts/sub-users.ts';
import { termsReads } from './tables/accounts/terms-reads.ts';
import { brandReads } from './tables/brand/brand.ts';
import { actReads } from './tables/changes/acts.ts';
import { edgeReads } from './tables/edges/edges.ts';
import { eventReads } from './tables/events/events.ts';
import { judgingReads } from './tables/events/judged.ts';
import { movementReads } from './tables/ledger/movements.ts';
import { referenceReads } from './tables/ledger/references.ts';
import { requestReads } from './tables/ledger/requests.ts';
import { ledgerSearchReads } from './tables/ledger/search.ts';
import { ledgerSumReads, type NearMovements } from './tables/ledger/sums.ts';
import { topUpReads } from './tables/ledger/top-ups.ts';
import { verificationReads } from './tables/ledger/verifications.ts';
import { mailReads } from './tables/mail/reads.ts';
import { firstStepsReads } from './tables/meta/first-steps.ts';
import { stateReads } from './tables/meta/state.ts';
import { meteringReads } from './tables/meters/reads.ts';
import { paymentReads } from './tables/payments/reads.ts';
import { peopleListReads } from './tables/people/lists.ts';
import { personReads } from './tables/people/reads.ts';
import { refusalReads } from './tables/refusals/reads.ts';
import { signInReads } from './tables/sign-in/reads.ts';
import { operatorTokenReads } from './tables/tokens/operator-tokens.ts';
import { tokenReads } from './tables/tokens/tokens.ts';
import { bandwidthReads } from './tables/usage/bandwidth.ts';
import { usageReads } from './tables/usage/reads.ts';
import { webhookReads } from './tables/webhooks/reads.ts';

/** How an engine reads. */
export interface ReadingEngine {
	/** Who reads with which connections: those of one do not wait for the others. */
	readonly readers: Readonly<Record<'resellers' | 'credentials' | 'dashboard' | 'edges', Reader>>;
	/** A read of what may be many rows. Nothing else waits for it. */
	readonly readReport: Reader['read'];
	readonly limits: ReadLimits;
	readonly json: JsonFunctions;
	readonly near: NearMovements;
	readonly findAccounts: FindAccounts;
	readonly findingPairs: FindingPairs;
	readonly nowMs: () => number;
}

/**
 * The reads of the reseller API (`lists` are pages of sub-users); tokens; keys of people and what they open; what else pages
 * read quickly; reports; and pairs for the edges.
 */
export type ReadLimits = Readonly<
	Record<
		'accounts' | 'usage' | 'changes' | 'lists' | 'tokens' | 'keys' | 'people' | 'pages' | 'reports' | 'pairs',
		ReadLimit
	>
>;

/** What an engine reads in its own way. */
type OfEngine = 'readCredentialsVersion' | 'verifyLedger';

/** All other reads of a store. */
export function storeReads(engine: ReadingEngine, seal: KeySeal): Omit<StoreReads, OfEngine> {
	const { readers, limits, nowMs } = engine;
	const lanes: ReadLanes = {
		quick: inTurns(readers.dashboard.read, limits.pages),
		heavy: inTurns(engine.readReport, { ...HEAVY_READS, ...limits.reports }),
	};
	return {
		...resellerReads(readers.resellers, limits, seal, engine.findAccounts),
		...requestReads(readers.resellers),
		...stateReads(readers.resellers),
		...firstStepsReads(lanes),
		...tokenReads(readers.credentials, limits.tokens),
		...operatorTokenReads(readers.credentials, limits.tokens, lanes),
		...personReads(readers.dashboard, limits, seal, engine.json),
		...eventReads(lanes),
		...judgingReads(lanes, engine.findingPairs),
		...edgeReads(readers.edges, limits, seal, engine),
		...signInReads(readers.edges, limits),
		...actReads(lanes),
		...bandwidthReads(lanes),
		...brandReads(lanes),
		...holdingReads(lanes),
		...ledgerSearchReads(lanes),
		...ledgerSumReads(lanes, engine.near),
		...termsReads(lanes, seal, nowMs),
		...mailReads(lanes),
		...meteringReads(lanes),
		...movementReads(lanes),
		...topUpReads(lanes),
		...paymentReads(lanes),
		...referenceReads(lanes),
		...peopleListReads(lanes, nowMs),
		...refusalReads(lanes),
		...refusedReads(lanes),
		...resellerListReads(lanes),
		...searchReads(lanes),
		...subUserReads(lanes, engine.findingPairs),
		...usageReads(lanes),
		...verificationReads(lanes),
		...webhookReads(lanes, seal, nowMs),
	};
}
