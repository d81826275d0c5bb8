/** Below this path are the calls of the dashboard's pages. */
export const DASHBOARD_API = '/dashboard/api';
