import type { BulkForm } from '@bursar/contract/bulk';
import type { DashboardChanges } from '@bursar/contract/dashboard';

/** What the lines of a file are. */
const USERNAMES: BulkForm = { hasAmounts: false };
const AMOUNTS: BulkForm = { hasAmounts: true };
const NEW_SUB_USERS: BulkForm = { hasAmounts: false, hasTerms: true };

/** What can be done to many sub-users. */
export const OPERATIONS = {
	create: { path: '/sub-users/create', form: NEW_SUB_USERS },
	give: { path: '/sub-users/give', form: AMOUNTS },
	take: { path: '/sub-users/take', form: AMOUNTS },
	limits: { path: '/sub-users/limits', form: USERNAMES },
	suspend: { path: '/sub-users/suspend', form: USERNAMES },
	resume: { path: '/sub-users/resume', form: USERNAMES },
	reset_key: { path: '/sub-users/reset-key', form: USERNAMES },
	delete: { path: '/sub-users/delete', form: USERNAMES },
} as const satisfies Record<string, { readonly path: keyof DashboardChanges; readonly form: BulkForm }>;

export type OperationName = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];

/** Those that can be done with sub-users that are selected in the list. */
export const SELECTION_OPERATIONS = OPERATION_NAMES.filter((name) => name !== 'create');

/** Those whose sub-users have a new proxy auth key afterwards. */
export function makesKeys(operation: OperationName): boolean {
	return operation === 'create' || operation === 'reset_key';
}
