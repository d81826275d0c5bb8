import type { SharedStatement } from '../../statement.ts';

/** All webhooks of all resellers. */
export interface WebhookState {
	/** Those whose last try has not failed. */
	readonly on: number;
	readonly failing: number;
	/** Off by their resellers, because this store is a copy, and because they could not go on. */
	readonly switchedOff: number;
	readonly copied: number;
	readonly off: number;
	/** Events that those that are on have not reached: of all together, and the most of one. */
	readonly eventsBehind: number;
	readonly mostEventsBehind: number;
}

/** Of a log that was restored, the newest event may be before the one that was reached. */
const BEHIND = 'CASE WHEN own.newest_event > reached_number THEN own.newest_event - reached_number ELSE 0 END';

export const WEBHOOK_STATE: SharedStatement = {
	sql: `SELECT
		count(CASE WHEN off_reason IS NULL AND failing_since_ms IS NULL THEN 1 END) AS "on",
		count(CASE WHEN off_reason IS NULL AND failing_since_ms IS NOT NULL THEN 1 END) AS failing,
		count(CASE WHEN off_reason = 'switched_off' THEN 1 END) AS "switchedOff",
		count(CASE WHEN off_reason = 'copied' THEN 1 END) AS copied,
		count(CASE WHEN off_reason NOT IN ('switched_off', 'copied') THEN 1 END) AS off,
		CAST(COALESCE(sum(CASE WHEN off_reason IS NULL THEN ${BEHIND} END), 0) AS bigint) AS "eventsBehind",
		COALESCE(max(CASE WHEN off_reason IS NULL THEN ${BEHIND} END), 0) AS "mostEventsBehind"
	FROM webhook_endpoints AS webhook JOIN accounts AS own ON own.reseller = webhook.reseller AND own.username = webhook.reseller`,
	values: [],
};
