/**
 * In a change: its id, which the client makes. The service never does two changes of a reseller with the same id. Every
 * answer carries this header too.
 */
export const CHANGE_ID_HEADER = 'X-Change-Id';

/** The value in an answer, unless the request sent a well-formed value. Then the answer repeats that value. */
export const CHANGE_ID_HONOURED = 'honoured';

export const CHANGE_ID_FORM = /^[A-Za-z0-9_-]{16,64}$/;

/** @bound A change is remembered by its id: then the service may forget it. */
export const CHANGE_KEPT_MS = 48 * 60 * 60 * 1000;

export function isChangeId(text: string): boolean {
	return CHANGE_ID_FORM.test(text);
}
