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

/**
 * An event in the form of docs/api.md 12.2, as JSON: in a page of the log, and as the body of a webhook. A field without a
 * value is absent.
 */
export function eventText({ id, number, type, atMs, username, data, requestId, changeId }: LoggedEvent): string {
	const about = username === null ? '' : `"username":${JSON.stringify(username)},`;
	const request = requestId === null ? '' : `,"request_id":${JSON.stringify(requestId)}`;
	const change = changeId === null ? '' : `,"change_id":${JSON.stringify(changeId)}`;
	const at = new Date(atMs).toISOString();
	return `{"id":"${id}","number":${number},"type":"${type}","at":"${at}",${about}"data":${data}${request}${change}}`;
}
