import type { PairState } from '../sub-user-terms.ts';
import type { BandwidthCorrection } from './bandwidth-shapes.ts';
import type { DeletedSubUser, PricePerGb, SubUserDetails } from './business-shapes.ts';
import type { LinkMailing } from './mail-shapes.ts';
import type { Role } from './roles.ts';
import type { RecordedAct, TokenState } from './shapes.ts';

/**
 * The order of resellers. With a minus, the largest or newest first. `refused`: by how many of their sub-users the proxies
 * refuse. A reseller that was never used comes before all uses.
 */
export type ResellerOrder =
	| 'name'
	| '-name'
	| 'balance'
	| '-balance'
	| 'last_used'
	| '-last_used'
	| 'created'
	| '-created'
	| 'bandwidth'
	| '-bandwidth'
	| 'refused'
	| '-refused';

export interface ResellerPage {
	readonly resellers: readonly ListedReseller[];
	readonly next: string | null;
	readonly previous: string | null;
}

export interface ListedReseller {
	readonly reseller: string;
	/** USD cents. */
	readonly balance: number;
	/** What it owes, and the debt beyond which its pairs are refused. USD cents. */
	readonly debt: number;
	readonly debt_line: number;
	/** Bytes that all its accounts used in the last 30 UTC days and today, up and down together. */
	readonly month_bytes: number;
	readonly day_bytes: number;
	/** How many of its sub-users the proxies refuse. */
	readonly refused: number;
	readonly price: PricePerGb;
	/** Since when it is suspended; `null` if it is not. */
	readonly suspended: string | null;
	readonly created: string;
	/** When a token of it was last used; up to about 90 seconds late; `null` if never. */
	readonly last_used: string | null;
}

export interface ResellerDetails {
	readonly reseller: string;
	/** USD cents. */
	readonly balance: number;
	/** Of its own pair; `null` if it could not be read. */
	readonly pair: PairState | null;
	/** What it owes for bandwidth that no balance covered, and the debt beyond which its pairs are refused. USD cents. */
	readonly debt: number;
	readonly debt_line: number;
	/** The last 50 changes of the price, the newest first. Without any, bandwidth costs nothing. */
	readonly prices: readonly PriceChange[];
	/** Since when it is suspended; `null` if it is not. */
	readonly suspended: string | null;
	/** Whether its sub-users may sign in by address. */
	readonly sign_in_by_address: boolean;
	/** What operators have noted. Empty if there is nothing. */
	readonly note: string;
	readonly created: string;
	readonly tokens: TokenState;
	/** The largest top-up so far, in USD cents; `null` if there was none. An opening balance is no top-up. */
	readonly largest_top_up: number | null;
	/** By e-mail address. */
	readonly people: readonly ListedPerson[];
}

/** A sub-user, or a deleted one, as operators see it. The reseller's note on it is not shown. */
export type SubUserOfResellerDetails =
	| (Omit<SubUserDetails, 'reseller_balance' | 'price' | 'note'> & { readonly deleted: null })
	| DeletedSubUser;

/** What operators earn, in USD cents. At most 5 minutes old. */
export interface Income {
	readonly as_of: string;
	/** The oldest first. Today is the last one. */
	readonly days: readonly IncomeDay[];
	/** The 50 whose bandwidth costs most. With `others`, their costs are those of the days. */
	readonly resellers: readonly IncomeOfReseller[];
	/** All further resellers whose bandwidth costs something, or that owe something. */
	readonly others: { readonly count: number; readonly cost: number; readonly debt: number };
}

interface IncomeDay {
	readonly date: string;
	/** What the bandwidth of the UTC day costs, in whole cents, as all pages show it: what is below a cent goes on to the next day. */
	readonly cost: number;
	/** What the ledger booked on the UTC day. */
	readonly fees: number;
	readonly top_ups: number;
}

export interface IncomeOfReseller {
	readonly reseller: string;
	readonly cost: number;
	/** What the reseller owes now. */
	readonly debt: number;
}

export interface PriceChange {
	readonly price: PricePerGb;
	readonly since: string;
	/** The e-mail address of an operator, the system user who gave the command, or the token of a program; `null` if it is not known. */
	readonly by: string | null;
}

export interface ListedPerson {
	readonly email: string;
	/** `null` for an operator. */
	readonly role: Role | null;
	readonly state: 'invited' | 'active' | 'locked';
	readonly second_factor: boolean;
	/** `null` if the person has no live session. */
	readonly last_seen: string | null;
}

export interface NewReseller {
	/** Shown once: the store keeps only its hash. */
	readonly token: string;
	readonly details: ResellerDetails;
}

export interface Payment {
	readonly reseller: string;
	/** USD cents, at least 1. */
	readonly amount: number;
	/** The operator's own name for it, unique on the platform. */
	readonly reference: string;
	/** For people. At most 200 characters. May be empty for a top-up, but not to take money back. */
	readonly reason: string;
}

export interface PaymentOutcome {
	/** Whether the same payment was counted before under this reference. Then no money was moved now. */
	readonly repeated: boolean;
	readonly details: ResellerDetails;
}

export interface InvitationLink {
	/** Shown once: the store keeps its hash, and its secret only until it was mailed. */
	readonly link: string;
	readonly email: string;
	readonly expires: string;
	readonly mailing: LinkMailing;
}

/** The reports of bandwidth, and which were refused. */
export interface UsageHealth {
	/** One for each UTC day on which reports arrived, the newest first. */
	readonly days: readonly UsageHealthDay[];
	/** The last 100 that were refused, the newest first: one for each source, username and reason. 20 of each source. */
	readonly refused: readonly RefusedReport[];
	/** The last 50 corrections of days, the newest first. */
	readonly corrections: readonly UsageCorrection[];
}

export interface RefusedReport {
	/** Whether the source is an edge, or stands in a report of an imported file. */
	readonly kind: 'edge' | 'file';
	readonly source: string;
	/** As it was sent; empty if it cannot be shown. */
	readonly username: string;
	/** `null` if there is no such account. */
	readonly reseller: string | null;
	readonly reason: string;
	/** The id of the report, or the counter; empty if it could not be read. */
	readonly name: string;
	/** When the last one arrived. */
	readonly arrived: string;
	/** When the bandwidth was used, as it says; `null` if it could not be read. */
	readonly at: string | null;
	readonly up: number | null;
	readonly down: number | null;
	readonly reports: number;
}

/** Bytes that an operator added to a UTC day, or took away. */
export interface UsageCorrection extends BandwidthCorrection {
	readonly reseller: string;
	readonly reference: string;
	/** The e-mail address of an operator, or the system user who gave the command. */
	readonly by: string;
}

/** A UTC day of an account: of a sub-user, also of one that was deleted, or of the reseller itself. */
export interface DayOfAccount {
	readonly reseller: string;
	readonly username: string;
	/** Like `2026-11-21`. */
	readonly day: string;
}

/** Bytes. */
export interface DayOfBandwidth {
	readonly up: number;
	readonly down: number;
}

export interface DayCorrection extends DayOfAccount, DayOfBandwidth {
	/** The operator's own name for it, unique among corrections. */
	readonly reference: string;
	/** For the people of the reseller. At most 200 characters. */
	readonly reason: string;
}

/** The bytes of the day now. */
export interface DayCorrectionOutcome extends DayOfBandwidth {
	/** Whether the same correction was made before under this reference. Then nothing was changed now. */
	readonly repeated: boolean;
}

export interface UsageHealthDay {
	readonly date: string;
	readonly counted: number;
	readonly repeated: number;
	/** The reports that were refused, by reason, like `unknown_username`. */
	readonly refused: Readonly<Record<string, number>>;
}

export interface LedgerHealth {
	/** The verification that runs; `null` if none does. */
	readonly running: { readonly started: string; readonly done: number; readonly of: number } | null;
	/** The last one that ended; `null` if there was none. */
	readonly last: LedgerVerification | null;
}

export interface LedgerVerification {
	readonly started: string;
	readonly ended: string;
	/** The e-mail address of an operator, or `operator` for the command line. */
	readonly by: string;
	/** `null` if it could not be finished. */
	readonly result: {
		readonly accounts: number;
		readonly transfers: number;
		/** How many problems were found. */
		readonly problems: number;
		/** The first 100 of them. */
		readonly first_problems: readonly { readonly name: string; readonly problem: string }[];
	} | null;
}

export interface EdgeList {
	/** All edges: first those that were not revoked, then the revoked ones, each by name. At most 1,000. */
	readonly edges: readonly ListedEdge[];
	/** The address at which proxy hosts reach this service, which links have; `null` if the settings name none. */
	readonly edge_url: string | null;
}

export interface NewEdgeLink {
	readonly name: string;
	/** For `bursar-edge join`, good once. Shown once: the store keeps only the hash of its secret. */
	readonly link: string;
	readonly expires: string;
}

export interface NewEdge {
	readonly name: string;
	/** Shown once: the store keeps only its hash. */
	readonly key: string;
}

export interface PeoplePage {
	readonly people: readonly AnyPerson[];
	readonly next: string | null;
	readonly previous: string | null;
}

export interface AnyPerson extends ListedPerson {
	/** `null` for an operator. */
	readonly reseller: string | null;
}

/** A proxy host that checks pairs and reports bandwidth. */
export interface ListedEdge {
	readonly name: string;
	/** The last four characters of its newest key; empty if it has never had one. */
	readonly key_tail: string;
	readonly created: string;
	/** `null` unless it was revoked. */
	readonly revoked: string | null;
	/** Until when its host can join by the link of the edge; `null` if it has joined, or was revoked. May have passed. */
	readonly link_expires: string | null;
	/** When it last asked or reported anything; about 10 seconds late; `null` if never. */
	readonly last_seen: string | null;
	/** The newest time of its readings: how far it has reported. `null` if it never has. */
	readonly reported_to: string | null;
	/** How many pairs it has checked, and how many of them were refused. About 10 seconds late. */
	readonly checks: number;
	readonly refusals: number;
}

/** The people of a reseller, by e-mail address. At most `MAX_TEAM`, unless more were there before that bound. */
export interface Team {
	readonly people: readonly ListedPerson[];
}

/** The acts of a reseller and on it, for its own people. */
export interface ActivityPage {
	readonly acts: readonly TeamAct[];
	readonly next_before: number | null;
	/** As in `MovementPage`. */
	readonly searched_to: string | null;
}

export interface TeamAct extends RecordedAct {
	/** Of a person. At most one of the two is given. */
	readonly email: string | null;
	/** Of a program: the last four characters of its token. */
	readonly token_tail: string | null;
	/** Resellers do not learn the names and addresses of operators. */
	readonly by_operator: boolean;
}

export interface AllActsPage {
	readonly acts: readonly AnyAct[];
	readonly next_before: number | null;
	/** As in `MovementPage`. */
	readonly searched_to: string | null;
}

export interface AnyAct extends RecordedAct {
	/** Of a person. At most one of the four is given. */
	readonly email: string | null;
	/** Of a program: the last four characters of its token. */
	readonly token_tail: string | null;
	/** Of a program of the operator: the name of its token, and the last four characters. */
	readonly operator_token: string | null;
	/** Of the operator's command line: the user of the operating system. */
	readonly system_user: string | null;
	/**
	 * The reseller whose person or program did it, or the reseller that an act of an operator is about; `null` for none.
	 */
	readonly reseller: string | null;
	/** On the dashboard, on the command line or with a program of the operator. */
	readonly by_operator: boolean;
}
