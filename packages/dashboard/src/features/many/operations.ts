import type { DashboardChanges } from '@bursar/contract/dashboard';

/** What can be done to many sub-users. */
export const OPERATIONS = {
	create: { path: '/sub-users/create', hasAmounts: false },
	give: { path: '/sub-users/give', hasAmounts: true },
	take: { path: '/sub-users/take', hasAmounts: true },
	suspend: { path: '/sub-users/suspend', hasAmounts: false },
	resume: { path: '/sub-users/resume', hasAmounts: false },
	limits: { path: '/sub-users/limits', hasAmounts: false },
} as const satisfies Record<string, { readonly path: keyof DashboardChanges; readonly hasAmounts: boolean }>;

export type OperationName = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];
