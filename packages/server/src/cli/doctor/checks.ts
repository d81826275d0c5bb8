import type { Finding } from '../../store/examination.ts';

/** The checks, in the order in which they are shown. */
export const CHECKS = [
	'settings',
	'clock',
	'disk',
	'open_files',
	'master_key',
	'store',
	'ledger',
	'backup',
	'webhooks',
	'payments',
	'service',
	'public_url',
	'forwarding',
] as const;

export type Check = (typeof CHECKS)[number];

/** What a check has found. */
export interface CheckResult {
	readonly check: Check;
	readonly findings: readonly Finding[];
}
