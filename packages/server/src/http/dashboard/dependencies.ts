import type { DashboardErrorCode, ProxyAccess } from '@bursar/contract/dashboard';
import type { Bank } from '../../bank/bank.ts';
import type { KnownBrand } from '../../bank/known-brand.ts';
import type { LedgerVerifier } from '../../bank/ledger-verifier.ts';
import type { StopLinks } from '../../mail/stop-links.ts';
import type { PasswordCost } from '../../passwords.ts';
import type { TopUps } from '../../payments/top-ups.ts';
import type { HoldingReads } from '../../store/tables/accounts/holdings.ts';
import type { ApiReads } from '../../store/tables/accounts/reads.ts';
import type { RefusedReads } from '../../store/tables/accounts/refused.ts';
import type { ResellerListReads } from '../../store/tables/accounts/resellers.ts';
import type { SearchReads } from '../../store/tables/accounts/search.ts';
import type { SubUserReads } from '../../store/tables/accounts/sub-users.ts';
import type { TermsReads } from '../../store/tables/accounts/terms-reads.ts';
import type { BrandReads } from '../../store/tables/brand/brand.ts';
import type { ActReads } from '../../store/tables/changes/acts.ts';
import type { EdgeReads } from '../../store/tables/edges/edges.ts';
import type { MovementReads } from '../../store/tables/ledger/movements.ts';
import type { ReferenceReads } from '../../store/tables/ledger/references.ts';
import type { LedgerSearchReads } from '../../store/tables/ledger/search.ts';
import type { LedgerSumReads } from '../../store/tables/ledger/sums.ts';
import type { TopUpReads } from '../../store/tables/ledger/top-ups.ts';
import type { VerificationReads } from '../../store/tables/ledger/verifications.ts';
import type { MailReads } from '../../store/tables/mail/reads.ts';
import type { FirstStepsReads } from '../../store/tables/meta/first-steps.ts';
import type { StateReads } from '../../store/tables/meta/state.ts';
import type { MeteringReads } from '../../store/tables/meters/reads.ts';
import type { PaymentReads } from '../../store/tables/payments/reads.ts';
import type { PeopleListReads } from '../../store/tables/people/lists.ts';
import type { DashboardReads } from '../../store/tables/people/reads.ts';
import type { RefusalReads } from '../../store/tables/refusals/reads.ts';
import type { OperatorTokenReads } from '../../store/tables/tokens/operator-tokens.ts';
import type { BandwidthReads } from '../../store/tables/usage/bandwidth.ts';
import type { UsageReads } from '../../store/tables/usage/reads.ts';
import type { WebhookReads } from '../../store/tables/webhooks/reads.ts';
import type { ClientAddresses } from '../server/client-address.ts';
import type { CsvFileLimits } from './files/csv-files.ts';

/** Everything that the dashboard's calls are built from. */
export interface DashboardDependencies {
	readonly store: DashboardReads &
		ActReads &
		TopUpReads &
		ReferenceReads &
		PeopleListReads &
		RefusedReads &
		ResellerListReads &
		UsageReads &
		VerificationReads &
		SubUserReads &
		SearchReads &
		BandwidthReads &
		MovementReads &
		HoldingReads &
		LedgerSearchReads &
		LedgerSumReads &
		StateReads &
		FirstStepsReads &
		RefusalReads &
		Pick<TermsReads, 'findDeletion'> &
		Omit<MeteringReads, 'listDueAccounts' | 'findDueAccounts'> &
		Pick<MailReads, 'findMailChoices' | 'readOutbox'> &
		Pick<EdgeReads, 'listEdges'> &
		BrandReads &
		Omit<PaymentReads, 'listDuePayments' | 'findNextPaymentRead' | 'readPaymentSweep'> &
		Pick<OperatorTokenReads, 'listOperatorTokens' | 'searchTokens'> &
		Pick<WebhookReads, 'listWebhooks' | 'listWebhookTries' | 'listWorstWebhooks' | 'listWebhookHosts'>;
	readonly brand: KnownBrand;
	/** Reads of accounts, which are refused while a change may still take effect. */
	readonly accounts: ApiReads;
	readonly bank: Pick<Bank, 'submit' | 'changePerson' | 'keep'>;
	/** Forgets the tokens that this process remembers. Called after a token was changed. */
	readonly forgetTokens: () => void;
	/** The store's time, in Unix milliseconds. */
	readonly nowMs: () => number;
	/** The origin at which people open the dashboard. Known once the service listens. */
	readonly publicUrl: () => string;
	/** The address at which proxy hosts reach the edge listener; `undefined` if the settings name none. */
	readonly edgeUrl: () => string | undefined;
	/** The address of the operator's API; `undefined` if it is off. */
	readonly operatorUrl: () => string | undefined;
	/** Whether webhooks may go to this machine. */
	readonly webhooksLoopback: boolean;
	/** Where the pages were built. For tests. */
	readonly pagesFolder?: string | undefined;
	readonly addressOf: ClientAddresses;
	/** 32 bytes, the same in all processes of the store. */
	readonly challengeKey: Uint8Array;
	/** 32 bytes, the same in all processes of the store. */
	readonly browserKey: Uint8Array;
	/** 32 bytes, the same in all processes of the store. */
	readonly seenKey: Uint8Array;
	/** Of the software. */
	readonly version: string;
	/** Hides what a page keeps for us, in all processes of the store. `open` throws if it was sealed elsewhere. */
	readonly pageSeal: {
		seal(text: string, context: string): string;
		openOnce(sealed: string, context: string): string;
	};
	/** Whether `bursar backup` makes the backups of the store. */
	readonly makesBackups: boolean;
	readonly topUps: TopUps;
	readonly verifier: Pick<LedgerVerifier, 'begin'>;
	/** How programs reach the proxies. */
	readonly proxyAccess: () => ProxyAccess;
	/** Host and port of the mail server, and from which address mails are. `undefined` if no mail is sent. */
	readonly mail: { readonly server: string; readonly from: string } | undefined;
	readonly stopLinks: StopLinks;
	/** What a new hash of a password costs, if not the usual. For tests. */
	readonly passwordCost?: PasswordCost | undefined;
	/** Limits of files to download. For tests. */
	readonly fileLimits?: Partial<CsvFileLimits> | undefined;
	/** Counts a try to sign in. */
	readonly signInDone: (method: SignInMethod, result: 'success' | DashboardErrorCode) => void;
}

export type SignInMethod = 'password' | 'passkey' | 'link';
