import type { OperatorTopUp, TopUp } from '../payment-schemas.ts';
import type { MovementKind } from '../sub-user-terms.ts';
import type { Bandwidth, BandwidthDivision, BandwidthFilter, BandwidthTime, TopSubUsers } from './bandwidth-shapes.ts';
import type { BrandSettings, Letterhead } from './brand-shapes.ts';
import type {
	Count,
	DeletedSubUser,
	MatchingNames,
	Metering,
	Overview,
	OwnName,
	ProxyAccess,
	SubUserDetails,
	SubUserOrder,
	SubUserPage,
	SubUserStates,
	Suspension,
	WantedState,
} from './business-shapes.ts';
import { type CallTypes, file, read } from './call.ts';
import type { ResellerSteps, ServiceSteps } from './first-steps-shapes.ts';
import type { PlatformMoney, ServiceHealth } from './home-shapes.ts';
import type { MailChoices, MailHealth } from './mail-shapes.ts';
import type {
	ActivityPage,
	AllActsPage,
	DayOfAccount,
	DayOfBandwidth,
	EdgeList,
	Income,
	LedgerHealth,
	PeoplePage,
	ResellerDetails,
	ResellerOrder,
	ResellerPage,
	SubUserOfResellerDetails,
	Team,
	UsageHealth,
} from './operator-shapes.ts';
import type { OperatorPaymentPage, TopUpPage } from './payment-shapes.ts';
import type { Found } from './search-shapes.ts';
import type { Account, ActKind, ActPage, Presence, TokenState } from './shapes.ts';
import type { MovementPage, StatementLines, StatementPeriods } from './statement-shapes.ts';
import type { FurtherTokenList, OperatorTokenList } from './token-shapes.ts';
import type { WebhookList, WebhookPage, WebhookTries } from './webhook-shapes.ts';

/** A page of a list. At most one of both is given; without either, it is the first page. */
interface WithPosition {
	/** The `next` of the previous page. */
	readonly after?: string;
	/** The `previous` of the following page. */
	readonly before?: string;
}

/** The sub-users of a list or a count. */
export interface SubUserSearch {
	/** Lowercase. Absent or empty: all. */
	readonly search?: string;
	/**
	 * Whether names must begin with it, or contain it anywhere. For people of the reseller, `anywhere` is also in the notes.
	 * Default: `beginning`.
	 */
	readonly match?: 'beginning' | 'anywhere';
}

/** The sub-users of a list, and their order. */
type SubUsersQuery = SubUserSearch & InState & WithPosition & { readonly order?: SubUserOrder };

interface InState {
	/** Absent: in any state. */
	readonly state?: WantedState;
}

/**
 * `own`: movements that changed the balance of the reseller itself. `no_bandwidth`: the same without its bandwidth. Absent: also
 * the bandwidth of sub-users, and what changed the debt.
 */
export type WantedMoney = 'own' | 'no_bandwidth';

/** The movements that a statement shows. Times are ISO 8601 in UTC; `to` is not included. */
export interface MovementFilter {
	readonly kind?: MovementKind;
	readonly money?: WantedMoney;
	readonly username?: string;
	/** Only gives and takes with exactly this reference. */
	readonly reference?: string;
	readonly from?: string;
	readonly to?: string;
}

/** The periods that a statement adds up. */
export interface PeriodsQuery {
	/**
	 * Where they begin and end: 2 to `MAX_PERIODS` + 1 times, ISO 8601 in UTC, each later than the previous one, with commas
	 * between.
	 */
	readonly bounds: string;
	/** Adds up only the movements of this sub-user. */
	readonly username?: string;
}

/** Movements by their numbers; `before` is not included. */
export interface LinesQuery {
	readonly from: number;
	readonly before: number;
}

export type WantedPayments = 'waiting' | 'findings';

export interface PeopleFilter {
	readonly search?: string;
	/** Absent: operators and the people of resellers. */
	readonly of?: 'operators' | 'resellers';
}

/** The acts that a list shows. Times are ISO 8601 in UTC; `to` is not included. */
export interface ActFilter {
	/** A part of the e-mail address of a person. */
	readonly email?: string;
	/** The address from which a person or a program did it. */
	readonly address?: string;
	readonly kind?: ActKind;
	/** The sub-user that they are about, also a deleted one. What it moved is in the statement. */
	readonly username?: string;
	readonly from?: string;
	readonly to?: string;
}

/** The reads of the pages, with GET. Answers are JSON in the envelope. The session cookie says who asks. */
export const READS = {
	/** The person who is signed in. Answers also if nobody is. */
	'/session': read('anyone')<Record<never, never>, Presence>(),
	'/account': read('factors')<Record<never, never>, Account>(),
	/** The person's own acts, the newest first, 50 a page; `before` is the number of the last act of the previous page. */
	'/account/acts': read('signed_in')<{ readonly before?: number }, ActPage>(),
	/** The mails that the person gets. */
	'/account/mail': read('signed_in')<Record<never, never>, MailChoices>(),
	/** What stands on statements. A few seconds old at most. */
	'/letterhead': read('signed_in')<Record<never, never>, Letterhead>(),
	/** For all people who are signed in. */
	'/proxy-access': read('signed_in')<Record<never, never>, ProxyAccess>(),
	/** The reseller's tokens. */
	'/token': read('read')<Record<never, never>, TokenState>(),
	/** The further tokens of the reseller. */
	'/tokens': read('read')<Record<never, never>, FurtherTokenList>(),
	'/webhooks': read('read')<Record<never, never>, WebhookList>(),
	'/webhooks/tries': read('read')<{ readonly id: string }, WebhookTries>(),

	/** What the reseller has of all that a person may type or paste. Secrets are left out of the text before. */
	'/search': read('read')<{ readonly text: string }, Found>(),
	/** Whether the operator has suspended the reseller of the person. */
	'/suspension': read('read')<Record<never, never>, Suspension>(),
	'/first-steps': read('read')<Record<never, never>, ResellerSteps>(),
	'/overview': read('read')<Record<never, never>, Overview>(),
	/** `null` if the reseller has no price. */
	'/metering': read('read')<Record<never, never>, Metering | null>(),
	/** For all sub-users and the reseller together, for one sub-user, or what one edge reported; or divided, without a filter. */
	'/bandwidth': read('read')<BandwidthTime & BandwidthFilter & { readonly by?: 'sub_user' | 'edge' }, Bandwidth>(),
	/** The ten sub-users that used most. At most 5 minutes old. */
	'/bandwidth/top': read('read')<BandwidthTime, TopSubUsers>(),
	/** 50 a page. */
	'/sub-users': read('read')<SubUsersQuery, SubUserPage>(),
	/** `first` is the `previous` of a page: the position of its first row in this order. */
	'/sub-users/count': read('read')<
		SubUserSearch & InState & { readonly order?: SubUserOrder; readonly first?: string },
		Count
	>(),
	/** The names of all that match, for a run of many. */
	'/sub-users/names': read('read')<SubUserSearch & InState, MatchingNames>(),
	'/sub-users/states': read('read')<Record<never, never>, SubUserStates>(),
	/** For a check before a sub-user is created: a create costs the fee, even if the name is taken. */
	'/sub-users/name': read('read')<{ readonly username: string }, OwnName>(),
	/** `null` if there is none: pages ask so whether there is one, and browsers tell of each 404 as an error. */
	'/sub-user': read('read')<{ readonly username: string }, SubUserDetails | null>(),
	/** A sub-user that was deleted. Its bandwidth and its movements can still be read by its name. `null` if there is none. */
	'/deleted-sub-user': read('read')<{ readonly username: string }, DeletedSubUser | null>(),
	/**
	 * Movements of the reseller's money, the newest first, 50 a page at most. A filter looks back in bounded steps, so a
	 * page may have fewer, or none, and still a `next_before`.
	 */
	'/statement': read('read')<MovementFilter & { readonly before?: number }, MovementPage>(),
	/** References of the newest movements that have the text, `SEARCH_HITS` at most: suggestions for a filter. */
	'/statement/references': read('read')<{ readonly text: string }, readonly string[]>(),
	'/statement/periods': read('read')<PeriodsQuery, StatementPeriods>(),
	/** Movements that changed the balance of the reseller itself, the oldest first, `LINES_AT_ONCE` at most. */
	'/statement/lines': read('read')<LinesQuery, StatementLines>(),
	/** 50 past payments a page. */
	'/top-ups': read('read')<WithPosition, TopUpPage>(),
	'/top-ups/view': read('read')<{ readonly id: string }, TopUp>(),
	/** The people of the reseller. */
	'/team': read('read')<Record<never, never>, Team>(),
	/** As `/operator/acts`, of the reseller. */
	'/activity': read('read')<ActFilter & { readonly before?: number }, ActivityPage>(),

	/** For operators: the state of the service now. */
	'/operator/health': read('operate')<Record<never, never>, ServiceHealth>(),
	'/operator/first-steps': read('operate')<Record<never, never>, ServiceSteps>(),
	/** The money of all resellers together. At most 5 minutes old. */
	'/operator/money': read('operate')<Record<never, never>, PlatformMoney>(),
	/** As `/search`, over everything. */
	'/operator/search': read('operate')<{ readonly text: string }, Found>(),
	/** 50 a page. `search` is the beginning of the name. */
	'/operator/resellers': read('operate')<
		WithPosition & { readonly search?: string; readonly order?: ResellerOrder },
		ResellerPage
	>(),
	'/operator/reseller': read('operate')<{ readonly reseller: string }, ResellerDetails>(),
	/** As `/sub-users`, of a reseller. */
	'/operator/sub-users': read('operate')<SubUsersQuery & { readonly reseller: string }, SubUserPage>(),
	'/operator/sub-user': read('operate')<
		{ readonly reseller: string; readonly username: string },
		SubUserOfResellerDetails
	>(),
	/**
	 * As `/bandwidth`. Without a reseller, it is about all of them: no sub-user is named, it can be divided by reseller but not
	 * by sub-user, it has no corrections, and it is at most 5 minutes old.
	 */
	'/operator/bandwidth': read('operate')<
		BandwidthTime & BandwidthFilter & { readonly reseller?: string; readonly by?: BandwidthDivision },
		Bandwidth
	>(),
	/** The ten sub-users of all resellers that used most. At most 5 minutes old. */
	'/operator/bandwidth/top': read('operate')<BandwidthTime, TopSubUsers>(),
	'/operator/statement': read('operate')<
		MovementFilter & { readonly reseller: string; readonly before?: number },
		MovementPage
	>(),
	'/operator/statement/references': read('operate')<
		{ readonly reseller: string; readonly text: string },
		readonly string[]
	>(),
	'/operator/statement/periods': read('operate')<PeriodsQuery & { readonly reseller: string }, StatementPeriods>(),
	'/operator/statement/lines': read('operate')<LinesQuery & { readonly reseller: string }, StatementLines>(),
	/** 50 a page. `only`: those that still wait for money, or those that do not fit. */
	'/operator/payments': read('operate')<
		WithPosition & { readonly reseller?: string; readonly only?: WantedPayments },
		OperatorPaymentPage
	>(),
	'/operator/payment': read('operate')<{ readonly id: string }, OperatorTopUp>(),
	/** All people who sign in, by e-mail address, 50 a page. `search` is the beginning of the address. */
	'/operator/people': read('operate')<WithPosition & PeopleFilter, PeoplePage>(),
	/** What bandwidth and fees of all resellers bring. At most 5 minutes old. */
	'/operator/income': read('operate')<{ readonly days: ShownDays }, Income>(),
	/** The reports of the last 90 UTC days. */
	'/operator/usage': read('operate')<Record<never, never>, UsageHealth>(),
	/** What an account used on a UTC day, like `2026-11-21`, with all corrections. */
	'/operator/usage/day': read('operate')<DayOfAccount, DayOfBandwidth>(),
	'/operator/mail': read('operate')<Record<never, never>, MailHealth>(),
	/** 50 a page. `search` is the beginning of the name of the reseller. */
	'/operator/webhooks': read('operate')<WithPosition & { readonly search?: string }, WebhookPage>(),
	/** The tokens of programs of the operator. */
	'/operator/tokens': read('operate')<Record<never, never>, OperatorTokenList>(),
	'/operator/brand': read('operate')<Record<never, never>, BrandSettings>(),
	'/operator/edges': read('operate')<Record<never, never>, EdgeList>(),
	'/operator/ledger': read('operate')<Record<never, never>, LedgerHealth>(),
	/** All acts, the newest first, 50 a page at most. A filter looks back in bounded steps. */
	'/operator/acts': read('operate')<ActFilter & { readonly before?: number }, AllActsPage>(),
};

export type DashboardReads = CallTypes<typeof READS>;

/** The last 7, 30 or 90 UTC days, or those of this UTC month. In a query, the number is a text. */
export type ShownDays = 7 | 30 | 90 | 'month';

/**
 * Files to download, as CSV with a header line, streamed: `GET` below `DASHBOARD_API`. `zone` is the time zone of the
 * pages, like `Europe/Berlin`. Each time stands in UTC, and beside it in that zone if it is another one.
 */
export const FILES = {
	/** All sub-users by name: balance, bandwidth, state and whether the proxies accept it, limits, end and note. */
	'/sub-users.csv': file('read')<{ readonly zone: string }>(),
	/** By UTC day with the cost, or by hour. */
	'/bandwidth.csv': file('read')<BandwidthTime & BandwidthFilter & { readonly zone: string }>(),
	/** The oldest movement first. */
	'/statement.csv': file('read')<MovementFilter & { readonly zone: string }>(),
	'/operator/statement.csv': file('operate')<MovementFilter & { readonly reseller: string; readonly zone: string }>(),
	/** The oldest act first. */
	'/activity.csv': file('read')<ActFilter & { readonly zone: string }>(),
	/** The oldest act first. */
	'/operator/acts.csv': file('operate')<ActFilter & { readonly zone: string }>(),
};

export type DashboardFiles = CallTypes<typeof FILES>;
