/** The path of the dashboard's calls. They are below it. */
export const DASHBOARD_API = '/dashboard/api';

/**
 * With each change, a page sends the person for whom it was drawn. Meanwhile, another person may have signed in, in another
 * window of the browser.
 */
export const PERSON_HEADER = 'x-dashboard-person';

/** The value of the header. Names may have characters that a header cannot have. */
export function personHeader(email: string): string {
	return encodeURIComponent(email);
}
