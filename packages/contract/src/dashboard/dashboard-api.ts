/** Below this path are the calls of the dashboard's pages. */
export const DASHBOARD_API = '/dashboard/api';

/**
 * A page sends with each change for whom it was drawn, because somebody else may have signed in since, in another window
 * of the browser.
 */
export const PERSON_HEADER = 'x-dashboard-person';

/** The value of the header. Names may have characters that a header cannot have. */
export function personHeader(email: string): string {
	return encodeURIComponent(email);
}
