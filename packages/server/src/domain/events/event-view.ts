/** An event as the log has it. */
export interface LoggedEvent {
	/** 1, 2, 3...: its place in the log of its reseller. */
	readonly number: number;
	/** `evt_` and random characters. An event of a log that was restored has another one. */
	readonly id: string;
	readonly type: string;
	/** Unix milliseconds. */
	readonly atMs: number;
	readonly username: string | null;
	/** JSON, as it was told. */
	readonly data: string;
	readonly requestId: string | null;
	readonly changeId: string | null;
}

/** An event as resellers read it. */
export interface EventView {
	readonly id: string;
	readonly number: number;
	readonly type: string;
	/** ISO 8601. */
	readonly at: string;
	/** The sub-user that it is about. */
	readonly username?: string;
	readonly data: Readonly<Record<string, unknown>>;
	/** The request that has caused it, and the reseller's own name for the change. */
	readonly request_id?: string;
	readonly change_id?: string;
}

export function eventView({ id, number, type, atMs, username, data, requestId, changeId }: LoggedEvent): EventView {
	return {
		...{ id, number, type },
		at: new Date(atMs).toISOString(),
		...(username !== null && { username }),
		data: JSON.parse(data),
		...(requestId !== null && { request_id: requestId }),
		...(changeId !== null && { change_id: changeId }),
	};
}
