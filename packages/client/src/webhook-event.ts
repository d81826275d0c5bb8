/** An event of a reseller, as the body of a webhook has it. */
export interface ResellerEvent {
	/** `evt_` and 22 characters. It is the same in each try: one that was handled before can be passed over. */
	readonly id: string;
	/** Counts the events of the reseller from 1, without a gap. */
	readonly number: number;
	/** For example `sub_user.created`. Further types may be added. */
	readonly type: string;
	/** When it happened, in UTC: `2026-11-21T00:00:00.000Z`. */
	readonly at: string;
	/** The sub-user that it is about. */
	readonly username?: string;
	readonly data: Readonly<Record<string, unknown>>;
	/** The request that caused it. */
	readonly request_id?: string;
	/** The change that caused it. */
	readonly change_id?: string;
}
