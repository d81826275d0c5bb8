import type { Bytes } from '../../domain/usage.ts';

/**
 * What the dashboard's charts of bandwidth read. Each read throws `StoreUnavailableError` if the store cannot be asked.
 * Those of the whole network and of parts are heavy (decision 0036).
 */
export interface BandwidthReads {
	/** Since when hours and edges are written, in Unix milliseconds. 0: since the first report. */
	findHoursSince(owner: string): Promise<number>;
	/** What was used in each hour or day, the oldest first. Those without usage are missing. */
	listBandwidth(query: BandwidthQuery): Promise<readonly BandwidthOfSpan[]>;
	/** The same of each of those that used most, up and down together. */
	listBandwidthParts(query: BandwidthPartsQuery): Promise<readonly BandwidthOfPart[]>;
}

/** UTC hours or days, in hours or days since 1970-01-01. Hours are kept from `firstKeptHour` on. */
export interface BandwidthSpans {
	readonly unit: 'hour' | 'day';
	readonly first: number;
	readonly last: number;
}

/** Of all resellers if no reseller is given, of one of its accounts if a username is, or what an edge reported. */
export interface BandwidthQuery extends BandwidthSpans {
	readonly reseller?: string | undefined;
	readonly username?: string | undefined;
	readonly edge?: string | undefined;
	/** Whose read it is. */
	readonly owner: string;
}

/** Sub-users of a reseller, edges for a reseller or for all, or all resellers. */
export interface BandwidthPartsQuery extends BandwidthSpans {
	readonly reseller?: string | undefined;
	readonly by: 'sub_user' | 'edge' | 'reseller';
	/** How many of those that used most. */
	readonly limit: number;
	/** Whose read it is. */
	readonly owner: string;
}

export interface BandwidthOfSpan extends Bytes {
	/** The hour or the day. */
	readonly span: number;
}

export interface BandwidthOfPart extends BandwidthOfSpan {
	/** The sub-user, the edge or the reseller. */
	readonly name: string;
}
