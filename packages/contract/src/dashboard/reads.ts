import type { MovementKind, PairState } from '../life.ts';
import type { Bandwidth, BandwidthDivision, BandwidthFilter, BandwidthTime, TopSubUsers } from './bandwidth-shapes.ts';
import type {
	Count,
	DeletedSubUser,
	Metering,
	MovementPage,
	Overview,
	OwnName,
	ProxyAccess,
	StatementLines,
	StatementPeriods,
	SubUserDetails,
	SubUserOrder,
	SubUserPage,
	SubUserStates,
	Suspension,
} from './business-shapes.ts';
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
	SubUserOfResellerOrder,
	SubUserOfResellerPage,
	Team,
	UsageHealth,
} from './operator-shapes.ts';
import type { Found, FoundByOperator } from './search-shapes.ts';
import type { Account, ActKind, ActPage, Presence, TokenState } from './shapes.ts';

/** A page of a list. At most one of both is given; with neither, it is the first page. */
interface WithPosition {
	/** The `next` of the previous page. */
	readonly after?: string;
	/** The `previous` of the following page. */
	readonly before?: string;
}

/** Which sub-users a list or a count is about. */
export interface SubUserSearch {
	/** Lowercase. Absent or empty: all. */
	readonly search?: string;
	/** Whether names must begin with it, or contain it anywhere. Default: `beginning`. */
	readonly match?: 'beginning' | 'anywhere';
}

interface InState {
	/** Absent: in any state. */
	readonly state?: PairState;
}

/** Which movements a statement shows. Times are ISO 8601 in UTC; `to` is not included. */
export interface MovementFilter {
	readonly kind?: MovementKind;
	readonly username?: string;
	readonly from?: string;
	readonly to?: string;
}

/** Which periods a statement adds up. */
export interface PeriodsQuery {
	/**
	 * Where they begin and end: 2 to `MAX_PERIODS` + 1 times, ISO 8601 in UTC, each later than the one before, with commas
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

export interface PeopleFilter {
	readonly search?: string;
	/** Absent: operators and the people of resellers. */
	readonly of?: 'operators' | 'resellers';
}

/** Which acts a list shows. Times are ISO 8601 in UTC; `to` is not included. */
export interface ActFilter {
	/** A part of the e-mail address of a person. */
	readonly email?: string;
	readonly kind?: ActKind;
	readonly from?: string;
	readonly to?: string;
}

/** What the pages read, with GET. Answers are JSON in the envelope. The session cookie says who asks. */
export interface DashboardReads {
	/** Who is signed in. Answers also if nobody is. */
	'/session': { query: Record<never, never>; answer: Presence };
	'/account': { query: Record<never, never>; answer: Account };
	/** The person's own acts, the newest first, 50 a page; `before` is the number of the last act of the previous page. */
	'/account/acts': { query: { readonly before?: number }; answer: ActPage };
	/** Which mails the person gets. */
	'/account/mail': { query: Record<never, never>; answer: MailChoices };
	/** For everybody who is signed in. */
	'/proxy-access': { query: Record<never, never>; answer: ProxyAccess };
	/** The reseller's tokens. */
	'/token': { query: Record<never, never>; answer: TokenState };

	/** Sub-users whose name or note has the text, and people of the team, `SEARCH_HITS` of each at most. */
	'/search': { query: { readonly text: string }; answer: Found };
	/** Whether the operator has suspended the reseller of the person. */
	'/suspension': { query: Record<never, never>; answer: Suspension };
	'/overview': { query: Record<never, never>; answer: Overview };
	/** `null` if the reseller has no price. */
	'/metering': { query: Record<never, never>; answer: Metering | null };
	/** For all sub-users and the reseller together, for one sub-user, or what one edge reported; or divided, without a filter. */
	'/bandwidth': {
		query: BandwidthTime & BandwidthFilter & { readonly by?: 'sub_user' | 'edge' };
		answer: Bandwidth;
	};
	/** The ten sub-users that used most. At most 5 minutes old. */
	'/bandwidth/top': { query: BandwidthTime; answer: TopSubUsers };
	/** 50 a page. */
	'/sub-users': {
		query: SubUserSearch & InState & WithPosition & { readonly order?: SubUserOrder };
		answer: SubUserPage;
	};
	/** `first` is the `previous` of a page: where its first row stands in this order. */
	'/sub-users/count': {
		query: SubUserSearch & InState & { readonly order?: SubUserOrder; readonly first?: string };
		answer: Count;
	};
	'/sub-users/states': { query: Record<never, never>; answer: SubUserStates };
	/** Before a sub-user is created: a try costs the fee, also if the name is taken. */
	'/sub-users/name': { query: { readonly username: string }; answer: OwnName };
	'/sub-user': { query: { readonly username: string }; answer: SubUserDetails };
	/** A sub-user that was deleted. Its bandwidth and its movements are still read by its name. */
	'/deleted-sub-user': { query: { readonly username: string }; answer: DeletedSubUser };
	/**
	 * Movements of the reseller's money, the newest first, 50 a page at most. A filter looks back in bounded steps, so a
	 * page may have fewer, or none, and still a `next_before`.
	 */
	'/statement': { query: MovementFilter & { readonly before?: number }; answer: MovementPage };
	'/statement/periods': { query: PeriodsQuery; answer: StatementPeriods };
	/** Movements that changed the balance of the reseller itself, the oldest first, `LINES_AT_ONCE` at most. */
	'/statement/lines': { query: LinesQuery; answer: StatementLines };
	/** The people of the reseller. */
	'/team': { query: Record<never, never>; answer: Team };
	/** As `/operator/acts`, of the reseller. */
	'/activity': { query: ActFilter & { readonly before?: number }; answer: ActivityPage };

	/** For operators: how the service fares now. */
	'/operator/health': { query: Record<never, never>; answer: ServiceHealth };
	/** The money of all resellers together. At most 5 minutes old. */
	'/operator/money': { query: Record<never, never>; answer: PlatformMoney };
	/** Resellers, their sub-users, people and edges, `SEARCH_HITS` of each at most. */
	'/operator/search': { query: { readonly text: string }; answer: FoundByOperator };
	/** 50 a page. `search` is the beginning of the name. */
	'/operator/resellers': {
		query: WithPosition & { readonly search?: string; readonly order?: ResellerOrder };
		answer: ResellerPage;
	};
	'/operator/reseller': { query: { readonly reseller: string }; answer: ResellerDetails };
	/** The sub-users of a reseller, 50 a page. `search` is the beginning of the name. */
	'/operator/sub-users': {
		query: InState &
			WithPosition & {
				readonly reseller: string;
				readonly search?: string;
				readonly order?: SubUserOfResellerOrder;
			};
		answer: SubUserOfResellerPage;
	};
	'/operator/sub-user': {
		query: { readonly reseller: string; readonly username: string };
		answer: SubUserOfResellerDetails;
	};
	/**
	 * As `/bandwidth`. Without a reseller, it is about all of them: no sub-user is named, it can be divided by reseller but not
	 * by sub-user, it has no corrections, and it is at most 5 minutes old.
	 */
	'/operator/bandwidth': {
		query: BandwidthTime & BandwidthFilter & { readonly reseller?: string; readonly by?: BandwidthDivision };
		answer: Bandwidth;
	};
	'/operator/statement': {
		query: MovementFilter & { readonly reseller: string; readonly before?: number };
		answer: MovementPage;
	};
	'/operator/statement/periods': { query: PeriodsQuery & { readonly reseller: string }; answer: StatementPeriods };
	'/operator/statement/lines': { query: LinesQuery & { readonly reseller: string }; answer: StatementLines };
	/** Everybody who signs in, by e-mail address, 50 a page. `search` is the beginning of the address. */
	'/operator/people': { query: WithPosition & PeopleFilter; answer: PeoplePage };
	/** What bandwidth costs all resellers. At most 5 minutes old. */
	'/operator/income': { query: { readonly days: ShownDays }; answer: Income };
	/** The reports of the last 90 UTC days. */
	'/operator/usage': { query: Record<never, never>; answer: UsageHealth };
	/** What an account used on a UTC day, like `2026-11-21`, with all corrections. */
	'/operator/usage/day': { query: DayOfAccount; answer: DayOfBandwidth };
	'/operator/mail': { query: Record<never, never>; answer: MailHealth };
	'/operator/edges': { query: Record<never, never>; answer: EdgeList };
	'/operator/ledger': { query: Record<never, never>; answer: LedgerHealth };
	/** All acts, the newest first, 50 a page at most. A filter looks back in bounded steps. */
	'/operator/acts': { query: ActFilter & { readonly before?: number }; answer: AllActsPage };
}

/** The last 7, 30 or 90 UTC days. In a query, the number is a text. */
export type ShownDays = 7 | 30 | 90;

/**
 * Files to download, as CSV with a header line, streamed: `GET` below `DASHBOARD_API`. `zone` is the time zone of the
 * pages, like `Europe/Berlin`. Each time stands in UTC, and beside it in that zone if it is another one.
 */
export interface DashboardFiles {
	/** All sub-users by name: name, balance, bandwidth of 30 days, created. */
	'/sub-users.csv': { query: { readonly zone: string } };
	/** By UTC day with the cost, or by hour. */
	'/bandwidth.csv': { query: BandwidthTime & BandwidthFilter & { readonly zone: string } };
	/** The oldest movement first. */
	'/statement.csv': { query: MovementFilter & { readonly zone: string } };
	'/operator/statement.csv': { query: MovementFilter & { readonly reseller: string; readonly zone: string } };
	/** The oldest act first. */
	'/activity.csv': { query: ActFilter & { readonly zone: string } };
	/** The oldest act first. */
	'/operator/acts.csv': { query: ActFilter & { readonly zone: string } };
}
